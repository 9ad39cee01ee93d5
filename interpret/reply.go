package interpret

import (
	"slices"
	"time"
)

// Reply says what came back for a request, and what that means.
// It is total and pure: any bytes whatever give an Outcome, in linear time, without a clock or a policy, and the same ones the same.
func Reply(x Exchange) Outcome {
	r := read(x)
	out := r.out
	row, stage := r.find()
	out.Kind, out.Basis, out.Remedy = row.Kind, row.Basis, row.Remedy
	out.Why = append(make([]string, 0, 3), row.ID)
	if out.Kind == NotMCP && r.method("initialize") {
		out.Remedy = TryHTTPSSE // the transport of 2024-11-05 may live there, or beside it
	}
	r.facts()

	proof := r.proof()
	out.Ran, out.Leave = proof.ran, proof.leave
	out.Why = append(out.Why, proof.ID)
	if r.req.IsNotification() {
		out.Leave = LeaveNever
		if out.Kind == SessionLost {
			out.Leave = LeaveRemedy
		}
	}
	if out.Kind == Timeout && len(out.Pending) > 0 {
		out.Why = append(out.Why, waitingForUs.ID)
	}

	switch {
	case stage.name == "cancel", stage.name == "local" && out.Kind != ReplyTooLarge:
		out.Origin = OriginClient
	case r.gateway():
		out.Origin = OriginGateway
	default:
		out.Origin = OriginServer
	}
	out.Deviations = r.deviations()
	return *out
}

// facts fills in what was found, as far as the kind has a use for it: a list of versions beside an internal error is noise.
func (r *reading) facts() {
	o := r.out
	o.Status = r.x.Status
	o.EventID = r.eventID
	o.Answered = r.rel == own && (r.bodyWins() || r.readByWords())
	if r.m != nil {
		o.Code, o.HasCode = r.code()
		o.Message = string(r.m.rpc.message)
		o.Data = r.m.rpc.data
		if r.bodyWins() && r.m.good() {
			o.Result = r.m.result
		}
	}
	switch o.Kind {
	case UnsupportedVersion:
		r.versionFacts()
	case RateLimited, Unavailable:
		o.RetryAfter = r.wait()
	case Unauthorized, InsufficientScope, Forbidden:
		if r.is(401, 403) {
			r.challengeFacts()
		}
	case MissingCapability:
		o.RequiredCapabilities = r.missing()
	case InputRequired:
		o.InputRequests, o.RequestState = r.inputRequests(), r.m.res.requestState
	case URLElicitation:
		o.Elicitations = r.elicitations()
	case ResourceNotFound:
		o.URI = string(text(member(r.data(), "uri")))
	case NotMCP:
		if r.x.Status >= 300 && r.x.Status < 400 {
			o.Location = r.x.Header.Get("Location")
		}
	case ServerError:
		if o.Answered {
			o.Tries = 1
		}
	case ConnectionLost:
		if r.x.Failure == nil && r.events == 0 && o.Remedy == "" {
			o.Tries = 1
		}
	case OK:
		r.settled()
	}
	if r.is(503) && o.RetryAfter == 0 && o.Result == nil { // whatever else it means, the server asks for patience
		o.RetryAfter = headerWait(r.x.Header, r.x.Received)
	}
	r.era()
}

func (r *reading) versionFacts() {
	if r.m == nil {
		return
	}
	if r.m.good() {
		if l, _ := r.discovered(); l.supported != nil {
			r.out.Supported = l.supported
		}
		r.out.Version = string(text(r.m.res.protocolVersion))
		return
	}
	l := r.versions()
	r.out.Supported, r.out.Requested = l.supported, l.requested
}

// wait reads the delay: headers on 429 and 503, then data.
func (r *reading) wait() time.Duration {
	if r.is(429, 503) {
		if d := headerWait(r.x.Header, r.x.Received); d > 0 {
			return d
		}
	} else if r.isHTTP() && !r.readable() {
		return 0
	}
	return dataWait(r.data())
}

// settled notes the version that a handshake or a discovery agreed on.
func (r *reading) settled() {
	if r.m == nil {
		return
	}
	switch r.req.Method {
	case "initialize":
		r.out.Version = string(text(r.m.res.protocolVersion))
	case "server/discover":
		r.out.Version = r.req.Version
	}
}

// era notes what the reply proves about the server.
func (r *reading) era() {
	o := r.out
	switch {
	case o.Kind == LegacyServer:
		o.Era = EraLegacy
	case !r.bodyWins():
	case r.modernError(), r.m.good() && r.m.res.resultType != nil && r.modernRequest():
		o.Era = EraModern
	case r.m.good() && r.probe() && slices.ContainsFunc(textList(r.m.res.supportedVersions), modern):
		o.Era = EraModern
	case o.Kind == OK && r.method("initialize"):
		o.Era = EraLegacy
	}
}

func (r *reading) challengeFacts() {
	list := r.challenges()
	for i := range list {
		r.out.Schemes = append(r.out.Schemes, list[i].scheme)
	}
	r.out.Scopes = scopes(demand(list, "scope"))
	r.out.ResourceMetadata = demand(list, "resource_metadata")
}
