// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthScope

extension CalendarError {
  /// Creates an error from a response whose status is not a success, with any body.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - names: The names in the request, which the message may contain, or `nil` for a request without any.
  ///   - scopes: The method's accepted scopes.
  init(_ response: HTTPResponse, to names: SentNames? = nil, accepting scopes: [Scope] = []) {
    let body = ErrorBody(response.body, names)
    let challenge = response.fields.authenticationChallenges.first { $0["error"] == "insufficient_scope" }
    let code =
      body.code ?? challenge.map { _ in .insufficientPermissions }
      ?? (response.status == 304 ? .notModified : .unexplained)
    let bare = CalendarError(
      code, "", status: response.status, serverMessage: body.message, details: body.details)
    let explanation = Explanation.find(
      code, status: response.status, message: body.message, location: bare.location)
    let place = body.details.lazy.compactMap(\.place).first.map { " (\($0))" } ?? ""
    let finding = explanation.map { ": \($0.finding)" } ?? ""
    self.init(
      code, "The server refused the request\(place)\(finding). \(explanation?.advice ?? bare.remedy.advice)",
      status: response.status, serverMessage: body.message, details: body.details)
    guard code == .insufficientPermissions else { return }
    let named = challenge?["scope"].map { [Scope](parameter: $0).filter(\.isWellFormed) } ?? []
    acceptedScopes = named.isEmpty ? scopes : named
  }

  /// Creates the error for a response that does not decode as a schema.
  init(malformed fault: JSONParseError, status: Int?) {
    self.init(
      .malformedResponse,
      "The response is not valid for the Calendar API: \(fault.finding). \(Remedy.inspectServer.advice)",
      status: status)
  }
}

/// The body of an error response, `{"error": {"errors": [{"reason": …}], "code": …, "message": …}}`, or any part of it.
private struct ErrorBody {
  var code: CalendarError.Code?
  var message: String?
  var details: [CalendarError.Detail] = []

  init(_ body: [UInt8], _ names: SentNames?) {
    guard let error = JSONValue(errorBody: body)?.withoutAbsentMembers["error"] else { return }
    message = error["message"]?.string
    details = (error["errors"]?.array ?? []).filter { $0.object != nil }.map { CalendarError.Detail($0, names) }
    // The older format has a list of errors, the newer one a list of details, and OAuth's format a single word.
    let reason =
      details.lazy.compactMap(\.reason).first ?? error["details"]?.array?.lazy.compactMap { $0["reason"]?.string }.first
      ?? error.string
    code = reason.flatMap(CalendarError.Code.init(reason:)).map { $0.refined(by: message) }
  }
}

extension CalendarError.Detail {
  fileprivate init(_ value: JSONValue, _ names: SentNames?) {
    domain = value["domain"]?.string
    reason = value["reason"]?.string
    serverMessage = value["message"]?.string
    locationType = value["locationType"]?.string
    location = value["location"]?.string
    locationKind = location.flatMap { names?.kind(of: $0) }
  }
}

extension CalendarError.Code {
  /// Creates a code from a reason, which must be a single word because descriptions contain it.
  fileprivate init?(reason: String) {
    guard reason.isReason else { return nil }
    // The newer format and OAuth's have names of their own.
    let isScope = ["ACCESS_TOKEN_SCOPE_INSUFFICIENT", "insufficient_scope"].contains(reason)
    self = isScope ? .insufficientPermissions : Self(rawValue: reason)
  }

  /// Returns a more specific code for two errors distinguished only by their message.
  ///
  /// Not measured: other clients report both messages. Google does not document them.
  fileprivate func refined(by message: String?) -> Self {
    guard self == .invalid, let message else { return self }
    if message.hasPrefix("Invalid sync token") { return .invalidSyncToken }
    if message.hasPrefix("Invalid sequence") { return .invalidSequence }
    return self
  }
}

extension String {
  /// Whether the text is a single word, like Google's reasons and domains.
  ///
  /// Descriptions of errors can contain these.
  var isReason: Bool {
    let isWord = utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: "_")
    }
    return isWord && (1...64).contains(utf8.count)
  }
}

/// The names of a request's parameters, header fields and body fields.
///
/// A server's `location` is untrusted text. Messages contain it only if it is one of these names.
struct SentNames {
  private let parameters: Set<String>
  private let headerFields: Set<String>
  private let body: JSONValue?

  init<Response>(_ request: CalendarRequest<Response>) {
    var parameters = Set(request.query.fields.map(\.name))
    if request.fieldMask != nil { parameters.insert("fields") }
    if request.quotaUser != nil { parameters.insert("quotaUser") }
    self.parameters = parameters
    var headerFields: Set<String> = []
    if request.ifMatch != nil { headerFields.insert("If-Match") }
    if request.ifNoneMatch != nil { headerFields.insert("If-None-Match") }
    self.headerFields = headerFields
    body = request.body.json
  }

  /// Returns the kind of the item at `location`, as a noun, or `nil` if the request does not have it.
  ///
  /// - Parameter location: A name, or the path of a nested field, separated by periods.
  func kind(of location: String) -> String? {
    if parameters.contains(location) { return "parameter" }
    if headerFields.contains(location) { return "header field" }
    return isBodyField(location) ? "field" : nil
  }

  private func isBodyField(_ location: String) -> Bool {
    guard var value = body, location.utf8.count <= 128 else { return false }
    for name in location.split(separator: ".", omittingEmptySubsequences: false) {
      // The keys of extended properties are the caller's data. Those that are not identifiers are never shown.
      guard name.isIdentifier, let next = value[String(name)] else { return false }
      value = next
    }
    return true
  }
}

extension Substring {
  fileprivate var isIdentifier: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
  }
}
