// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Recurrence
import Timekeeping

/// The parameters of a call, checked against the method's.
///
/// Unknown parameters are ignored.
struct CallParameters: Sendable {
  private let values: Parameters
  private let method: CalendarMethod

  init(_ values: Parameters, of method: CalendarMethod) throws(APIFault) {
    self.values = values
    self.method = method
    let mayRepeat = Set(method.parameters.filter(\.value.isRepeated).keys)
    if let name = values.repeated.subtracting(mayRepeat).sorted().first {
      throw .invalidParameter(name, "A parameter is repeated.")
    }
    guard values["alt"] ?? "json" == "json" else { throw .invalidParameter("alt", "Only alt=json is supported.") }
    for (name, parameter) in method.parameters.sorted(by: { $0.key < $1.key }) {
      let texts = values.values(for: name).filter { !$0.isEmpty }
      if texts.isEmpty, parameter.isRequired {
        throw APIFault(
          status: 400, reason: "required", message: "Required parameter: \(name)", location: ("parameter", name))
      }
      for text in texts { try parameter.kind.check(text, name) }
    }
  }

  subscript(name: String) -> String? { values[name] }

  func all(_ name: String) -> [String] { values.values(for: name).filter { !$0.isEmpty } }

  /// Returns a Boolean parameter.
  ///
  /// Defaults to `false`.
  func flag(_ name: String) -> Bool { values[name] == "true" }

  func integer(_ name: String) -> Int? { values[name].flatMap { Int($0) } }

  func instant(_ name: String) -> Timestamp? { values[name].flatMap { try? Timestamp(rfc3339: $0) } }

  /// Returns the requested time zone of times in the response.
  func zone() throws(APIFault) -> Zone? {
    guard method.parameters["timeZone"] != nil, let name = values["timeZone"] else { return nil }
    guard let zone = Zone.named(name) else {
      throw .invalidParameter("timeZone", "Invalid time zone: '\(name)'.", reason: "invalid")
    }
    return zone
  }

  /// The maximum number of results per page.
  var pageSize: Int {
    guard case .pageSize(let standard, let maximum)? = method.parameters["maxResults"]?.kind else { return .max }
    return integer("maxResults").map { min($0, maximum) } ?? standard
  }

  /// The parameters that select the results, as text.
  var fingerprint: String {
    values.fingerprint(without: [
      "access_token", "alt", "fields", "key", "pageToken", "prettyPrint", "quotaUser", "userIp",
    ])
  }

  /// The parameters that must be the same in every request of a synchronization, as text.
  ///
  /// Excludes paging parameters and those incompatible with a sync token.
  var syncFingerprint: String {
    guard let sync = method.sync else { return "" }
    let others = sync.mustNotCombine + sync.mustNotBeFalse + ["maxResults", "pageToken", "syncToken"]
    return Set(method.parameters.keys).subtracting(others).sorted().map { name in
      // An omitted flag equals a false one.
      let texts = values.values(for: name).filter { !$0.isEmpty && $0 != "false" }
      return "\(name)=\(texts.sorted())"
    }.joined(separator: "&")
  }
}

extension CalendarMethod.Parameter.Kind {
  fileprivate func check(_ text: String, _ name: String) throws(APIFault) {
    switch self {
    case .text: break
    case .boolean:
      guard text == "true" || text == "false" else {
        throw .invalidParameter(name, "Invalid boolean value: '\(text)'.")
      }
    case .integer(let range):
      guard let number = Int(text), range.contains(number) else {
        throw .invalidParameter(
          name, "Invalid value '\(text)'. Values must be within the range: [\(range.lowerBound), \(range.upperBound)]")
      }
    case .pageSize:
      guard let number = Int(text), number > 0 else {
        throw .invalidParameter(name, "Invalid value '\(text)'. Values must be within the range: [1, 2147483647]")
      }
    case .time:
      guard (try? Timestamp(rfc3339: text)) != nil else {
        throw .invalidParameter(name, "The value must be an RFC 3339 time with an offset.", reason: "badRequest")
      }
    case .choice(let choices):
      guard choices.contains(text) else {
        throw .invalidParameter(
          name, "Invalid string value: '\(text)'. Allowed values: [\(choices.joined(separator: ", "))]")
      }
    }
  }
}
