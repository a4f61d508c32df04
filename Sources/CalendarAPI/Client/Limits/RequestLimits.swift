// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// What the server would ignore, cut or refuse, found before a request is sent.
struct RequestLimits {
  let name: String
  let query: QueryItems
  let body: CalendarRequestBody

  /// The first limit that the request breaks, and what to do about it; `nil` if there is none.
  var problem: String? {
    if let quotaUser = query.fields["quotaUser"], quotaUser.count > 40 {
      return "quotaUser has more than 40 characters."
    }
    if let problem = syncProblem { return problem }
    guard case .json(let json) = body else { return nil }
    switch name {
    case "events.insert", "events.import", "events.update", "events.patch":
      return (try? Event(json: json)).flatMap(problem)
    case "calendars.insert", "calendars.update", "calendars.patch":
      return (try? CalendarMetadata(json: json))?.labelProperties?.problem
    case "freebusy.query": return (try? FreeBusyRequest(json: json))?.problem
    case _ where name.hasSuffix(".watch"): return (try? Channel(json: json))?.problem
    default: return nil
    }
  }

  /// The first parameter that does not go with a synchronization.
  private var syncProblem: String? {
    guard query.fields["syncToken"] != nil, let rules = SyncRules.byMethod[name] else { return nil }
    if let parameter = rules.mustNotCombine.first(where: { query.fields[$0] != nil }) {
      return "\(parameter) cannot be combined with syncToken: leave one of them out."
    }
    if let parameter = rules.mustNotBeFalse.first(where: { query.fields[$0] == "false" }) {
      return "\(parameter) cannot be false with syncToken."
    }
    return nil
  }

  private func problem(of event: Event) -> String? {
    // A replacement sends what was read, so that only a new request for a conference shows an intention.
    let isReplacement = name == "events.update"
    let hasConference = isReplacement ? event.conferenceData?.createRequest != nil : event.conferenceData != nil
    if hasConference, query.fields["conferenceDataVersion"] != "1" {
      return "conferenceData is ignored without conferenceDataVersion 1."
    }
    if !isReplacement, event.attachments != nil, query.fields["supportsAttachments"] != "true" {
      return "attachments are ignored without supportsAttachments."
    }
    if !isReplacement, event.eventLabelId != nil, query.fields["eventLabelVersion"] != "1" {
      return "eventLabelId is ignored without eventLabelVersion 1."
    }
    if name == "events.insert", let problem = event.insertionProblem { return problem }
    return event.problem
  }
}

/// The parameters that a synchronization does not allow.
struct SyncRules {
  let mustNotCombine: [String]
  let mustNotBeFalse: [String]
}
