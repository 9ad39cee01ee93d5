"""Compares what interpreters made of the corpus with what it wants.

    runner.py [--only MEMBER,MEMBER…] RESULTS…

RESULTS is a file of JSON lines, one a case: its id, and the members that fixtures/README.md has under "want".
`mcperr explain --json` prints such lines. Exit code 1: something differs, or a case has no line."""
import argparse, json, pathlib, sys

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "fixtures"
ABSENT = (None, "", [])  # an absent member, an empty text and an empty list say the same; a code 0 does not

def value(reading, member):
    v = reading.get(member)
    if v in ABSENT or member == "retryAfterMs" and v == 0:
        return None
    return sorted(v) if member == "requiredCapabilities" else v

def compare(results, wants, only):
    left, faults = dict(wants), []
    for line in map(json.loads, results):
        want = left.pop(line["id"], None)
        if want is None:
            faults.append(f"{line['id']}: no such case, or its second line")
            continue
        for m in only or sorted((want | line).keys() - {"id", "why"}):
            if want and value(want, m) != value(line, m):
                faults.append(f"{line['id']}: {m}: got {line.get(m)}, want {want.get(m)}")
    return faults + [f"{case}: no line" for case in left]

flags = argparse.ArgumentParser(usage=__doc__)
flags.add_argument("--only", type=lambda members: members.split(","))
flags.add_argument("results", nargs="+", type=argparse.FileType(encoding="utf-8"))
flags = flags.parse_args()
wants = {c["id"]: c["want"] for f in CORPUS.glob("*/*.json") for c in json.loads(f.read_bytes())}
wants |= {d["id"]: d.get("want", {}) for d in json.loads((CORPUS / "disputed.json").read_bytes())}
found = {results.name: compare(results, wants, flags.only) for results in flags.results}
for name, faults in found.items():
    print(*faults, f"{name}: {len(wants)} cases, {len(faults)} differences", sep="\n")
sys.exit(any(found.values()))
