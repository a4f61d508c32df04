import Almanac
import HTTPTransport
import OAuthCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Command {
  static let call = Command(
    name: "call",
    summary: "Send one authorized request and write the answer's content to standard output.",
    discussion: """
      URL is absolute, or below the API's root: "almanac call GET calendar/v3/users/me/calendarList".
      The token goes to the API and the profile's address only, unless --origin names another.
      """,
    positional: ["METHOD", "URL"],
    options: Session.serverOptions + [
      Option("query", "NAME=VALUE", "a parameter for the address", isRepeatable: true),
      Option("form", "NAME=VALUE", "a parameter of a form to send", isRepeatable: true),
      Option("data", "FILE", "a file with JSON to send; - for standard input"),
      Option("origin", "URL", "another origin that may see the token", isRepeatable: true),
      Option("include", nil, "write the status and the names of the answer's fields to standard error"),
    ]
  ) { context in
    let session = try await Session(context)
    let request = try CallRequest(context, base: session.google.services.apiURL).request
    let extra = try context.arguments.all("origin").map { text in
      guard let origin = Origin(text), origin.isSecure else {
        throw UsageError(
          "--origin must be an https address; plain http is for loopback only.", command: context.command)
      }
      return origin
    }
    let transport = session.google.transport(alsoFor: Set(extra))
    let response = try await transport.send(request)
    if context.arguments.has("include") {
      context.terminal.note("\(response.status) \(response.fields.map(\.name).joined(separator: ", "))")
    }
    context.terminal.raw(response.body)
    guard response.isSuccess else { throw CallRefused(status: response.status) }
  }
}

/// The request that the arguments of `call` describe.
private struct CallRequest {
  let request: HTTPRequest

  init(_ context: Context, base: URL) throws {
    let arguments = context.arguments
    let address = arguments.positional[1]
    guard var url = Origin(address) == nil ? URL(string: base.absoluteString + address) : URL(string: address) else {
      throw UsageError("The URL is not an address.", command: context.command)
    }
    let query = try Self.pairs(arguments.all("query"), context)
    if !query.isEmpty,
      let extended = URL(
        string: url.absoluteString + (url.query() == nil ? "?" : "&") + FormEncoding.query.encode(query))
    {
      url = extended
    }
    var request = HTTPRequest(
      HTTPMethod(rawValue: arguments.positional[0].uppercased()), url, fields: ["Accept": "*/*"])
    let form = try Self.pairs(arguments.all("form"), context)
    switch (form.isEmpty, arguments["data"]) {
    case (true, nil): break
    case (false, nil):
      request.fields["Content-Type"] = "application/x-www-form-urlencoded"
      request.body = FormEncoding.form.encode(form)
    case (true, let file?):
      request.fields["Content-Type"] = "application/json"
      request.body = try Self.content(of: file, context)
    default: throw UsageError("--form and --data exclude each other.", command: context.command)
    }
    self.request = request
  }

  private static func pairs(_ texts: [String], _ context: Context) throws -> FormFields {
    try texts.reduce(into: FormFields()) { fields, text in
      guard let separator = text.firstIndex(of: "=") else {
        throw UsageError("A parameter is written NAME=VALUE.", command: context.command)
      }
      fields.append(String(text[..<separator]), String(text[text.index(after: separator)...]))
    }
  }

  private static func content(of file: String, _ context: Context) throws -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: file == "-" ? "/dev/stdin" : file) else {
      throw UsageError("The file for --data cannot be read.", command: context.command)
    }
    return Array(data)
  }
}

/// The answer's status was not a success.
struct CallRefused: Error, CustomStringConvertible {
  let status: Int

  var description: String { "The server answered with status \(status)." }
}
