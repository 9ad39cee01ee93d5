#!/usr/bin/env bash
# Installs what the live tests run beside Go programs: the Node packages and the Python packages of live/servers, at the locked versions.
# They go to $MCPERR_LIVE_CACHE (default ~/.cache/mcperr-live), into a folder named by the lock file; what is there already stays.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/servers"

cache=${MCPERR_LIVE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/mcperr-live}

# folder NAME LOCKFILE prints where that lock file's packages belong. servers.go computes the same.
folder() { python3 -c 'import hashlib, sys; print(sys.argv[1] + "-" + hashlib.sha256(open(sys.argv[2], "rb").read()).hexdigest()[:12])' "$1" "$2"; }

# again COMMAND... runs a download, up to three times: a registry may be away for a moment.
again() {
	local wait
	for wait in 10 30; do
		"$@" && return
		printf 'once more in %d s: %s\n' "$wait" "$*" >&2
		sleep "$wait"
	done
	"$@"
}

node=$cache/$(folder node node/package-lock.json)
if [ ! -e "$node/installed" ]; then
	rm -rf "$node"
	mkdir -p "$node"
	cp node/package.json node/package-lock.json node/.npmrc "$node"
	(cd "$node" && again npm ci --no-audit --no-fund --loglevel=error)
	touch "$node/installed"
fi
echo "node packages: $node"

python=$cache/$(folder python python/requirements.txt)
if [ ! -e "$python/installed" ]; then
	rm -rf "$python"
	python3 -m venv "$python"
	again "$python/bin/python" -m pip install --quiet --disable-pip-version-check --requirement python/requirements.txt
	touch "$python/installed"
fi
echo "python packages: $python"
