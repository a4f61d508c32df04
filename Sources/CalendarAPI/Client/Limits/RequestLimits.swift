// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding

/// What the server would ignore, cut or refuse, found before a request is sent.
struct RequestLimits {
  let name: String
  let query: QueryItems
  let body: CalendarRequestBody

  /// The first limit that the request breaks, and what to do about it; `nil` if there is none.
  var problem: String? {
    if let quotaUser = query.fields["quotaUser"], quotaUser.codePointCount > 40 {
      return "quotaUser has more than 40 characters."
    }
    let parameters = ParameterLimit.byMethod[name] ?? []
    if let problem = parameters.lazy.compactMap({ $0.problem(of: query) }).first ?? syncProblem { return problem }
    guard case .json(let json) = body, let fields = try? JSONValue(json: json) else { return nil }
    return bodyProblem(fields) ?? FieldLimit.byMethod[name]?.lazy.compactMap { $0.problem(of: fields) }.first
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

  /// What is wrong with a body beside the limits of its fields.
  private func bodyProblem(_ body: JSONValue) -> String? {
    switch name {
    case "events.insert": versionProblem(of: body) ?? Self.insertionProblem(of: body) ?? Self.problem(ofEvent: body)
    case "events.import", "events.update", "events.patch": versionProblem(of: body) ?? Self.problem(ofEvent: body)
    case "calendarList.insert", "calendarList.patch", "calendarList.update": colorProblem(of: body)
    case _ where name.hasSuffix(".watch"): Self.problem(ofChannel: body)
    default: nil
    }
  }

  /// The first field of an event that the server ignores without a parameter, or because of one.
  private func versionProblem(of event: JSONValue) -> String? {
    // A replacement sends what was read, so that only a new request for a conference shows an intention.
    let isReplacement = name == "events.update"
    let conference = isReplacement ? event["conferenceData"]?["createRequest"] : event["conferenceData"]
    if conference != nil, query.fields["conferenceDataVersion"] != "1" {
      return "conferenceData is ignored without conferenceDataVersion 1."
    }
    if isReplacement { return nil }
    if event["attachments"] != nil, query.fields["supportsAttachments"] != "true" {
      return "attachments are ignored without supportsAttachments."
    }
    let hasLabels = query.fields["eventLabelVersion"] == "1"
    if event["eventLabelId"] != nil, !hasLabels { return "eventLabelId is ignored without eventLabelVersion 1." }
    if event["colorId"]?.string != nil, hasLabels {
      return "colorId is ignored with eventLabelVersion 1: leave one of them out, or set eventLabelId instead."
    }
    return nil
  }

  /// The colours of an entry of the calendar list that the server ignores.
  private func colorProblem(of entry: JSONValue) -> String? {
    guard query.fields["colorRgbFormat"] != "true" else { return nil }
    // A replacement sends the colours that were read beside their identifier, which counts. A colour that was set after
    // the reading looks the same, and is ignored by the server: the colours that belong to an identifier are not known.
    if name == "calendarList.update", entry["colorId"] != nil { return nil }
    guard let field = ["backgroundColor", "foregroundColor"].first(where: { entry[$0] != nil }) else { return nil }
    return "\(field) is ignored without colorRgbFormat: set it to true, or set colorId instead."
  }

  private static func problem(ofChannel channel: JSONValue) -> String? {
    guard let address = channel["address"]?.string, !address.hasPrefix("https://") else { return nil }
    return "Notifications are delivered to an https URL only."
  }
}

/// The parameters that a synchronization does not allow.
struct SyncRules {
  let mustNotCombine: [String]
  let mustNotBeFalse: [String]
}
