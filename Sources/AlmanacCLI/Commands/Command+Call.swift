// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
import PlatformFoundation

extension Command {
  static let call = Command(
    name: "call",
    summary: "Send an authorized request and write the response's body to standard output.",
    discussion: """
      URL is absolute or relative to the API's root: `almanac call GET calendar/v3/users/me/calendarList`.
      The token is sent to the API and the profile's URL only, unless --origin names another origin.
      The body is written byte for byte to a file or a pipe. In a terminal, characters that control it are replaced.
      """,
    positional: ["METHOD", "URL"],
    options: Session.serverOptions + [
      Option("query", "NAME=VALUE", "a parameter for the URL's query", isRepeatable: true),
      Option("form", "NAME=VALUE", "a parameter of a form to send", isRepeatable: true),
      Option("data", "FILE", "a file with JSON to send; - for standard input"),
      Option("origin", "URL", "another origin to send the token to", isRepeatable: true),
      Option("include", nil, "write the status and the names of the response's header fields to standard error"),
    ]
  ) { context in
    let session = try await Session(context)
    let extra = try context.arguments.all("origin").map { text in
      guard let origin = Origin(text), origin.isSecure else {
        throw UsageError(
          "--origin must be an https URL. Plain http is allowed for loopback only.", command: context.command)
      }
      return origin
    }
    let transport = session.transport(forCallIncluding: Set(extra))
    do {
      let response = try await transport.call(
        HTTPMethod(rawValue: context.arguments.positional[0].uppercased()),
        try context.url(in: session), query: try context.fields("query"),
        body: try await context.body())
      context.write(response)
    } catch let error as CallError {
      // The server's error body is the output.
      error.response.map(context.write)
      throw error
    } catch let error as OAuthError where error.code == .originNotAllowed {
      throw UsageError(
        "Nothing was sent: the token may not be sent to this origin. If it is https, pass it with --origin.",
        command: context.command)
    }
  }
}

extension Context {
  /// Returns the URL argument, absolute or below the root of the APIs.
  fileprivate func url(in session: Session) throws -> URL {
    let text = arguments.positional[1]
    var absolute = text
    if Origin(text) == nil {
      let root = try session.apiURL.absoluteString
      absolute = root + (root.hasSuffix("/") ? "" : "/") + text.drop { $0 == "/" }
    }
    guard let url = URL(string: absolute) else { throw UsageError("The URL is not valid.", command: command) }
    return url
  }

  /// Returns the values of a repeatable NAME=VALUE option.
  fileprivate func fields(_ option: String) throws -> FormFields {
    try arguments.all(option).reduce(into: FormFields()) { fields, text in
      guard let separator = text.firstIndex(of: "=") else {
        throw UsageError("--\(option) must have the form NAME=VALUE.", command: command)
      }
      fields.append(String(text[..<separator]), String(text[text.index(after: separator)...]))
    }
  }

  /// Returns the request's body from --form or --data.
  fileprivate func body() async throws -> RequestBody? {
    let form = try fields("form")
    guard let file = arguments["data"] else { return form.isEmpty ? nil : .form(form) }
    guard form.isEmpty else { throw UsageError("--form and --data cannot be combined. Omit one.", command: command) }
    return .bytes(try await content(of: file, option: "data"), mediaType: "application/json")
  }

  fileprivate func write(_ response: HTTPResponse) {
    if arguments.has("include") {
      terminal.note("\(response.status) \(response.fields.map(\.name).joined(separator: ", "))")
    }
    let isJSONText = response.fields["Content-Type"]?.lowercased().contains("json") == true
    let body = isJSONText && (isJSON || terminal.showsOutput) ? response.body.terminalSafeJSON : response.body
    terminal.raw(terminal.showsOutput ? Array(String(decoding: body, as: UTF8.self).terminalSafeLines.utf8) : body)
  }
}
