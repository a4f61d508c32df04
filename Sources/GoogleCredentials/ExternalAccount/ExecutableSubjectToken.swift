// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Timekeeping
import TokenStore

/// The token printed by a program ([AIP-4117, executable-sourced credentials](https://google.aip.dev/auth/4117)).
///
/// Programs run only if `GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES` is `1`.
struct ExecutableSubjectToken: SubjectTokenSource {
  private let program: String
  private let arguments: [String]
  private let outputFile: String?
  private let limit: Duration
  private let variables: [String: String]
  private let environment: CredentialEnvironment

  /// Parses the member `executable` of a `credential_source`.
  ///
  /// - Parameter variables: The environment variables that describe the credential to the program.
  init(_ executable: CredentialDocument, telling variables: [String: String], _ environment: CredentialEnvironment)
    throws
  {
    guard let words = CommandWords.split(try executable.string("command")), let program = words.first else {
      throw executable.error(.malformed, "command", "has an unmatched quotation mark or backslash.")
    }
    let milliseconds = try executable.optionalInteger("timeout_millis") ?? 30_000
    guard (5_000...120_000).contains(milliseconds) else {
      throw executable.error(.malformed, "timeout_millis", "is not between 5000 and 120000.")
    }
    self.program = program
    arguments = Array(words.dropFirst())
    limit = .milliseconds(milliseconds)
    outputFile = try executable.optionalString("output_file")
    self.environment = environment
    var told = variables
    told["GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE"] = "0"
    told["GOOGLE_EXTERNAL_ACCOUNT_REVOKE"] = "0"
    told["GOOGLE_EXTERNAL_ACCOUNT_OUTPUT_FILE"] = outputFile
    self.variables = environment.variables.merging(told) { $1 }
  }

  func subjectToken() async throws -> Secret {
    guard environment["GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES"] == "1" else {
      throw GoogleCredentialError(
        .invalidConfiguration,
        "The credential runs the program \(program.printable). If you trust it, set GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES to 1."
      )
    }
    if let token = await keptToken() { return token }
    let outcome = try await run()
    guard outcome.status == 0 else { throw failed("ended with status \(outcome.status)") }
    var output = outcome.output
    if output.allSatisfy(\.isSpace), let outputFile, let content = try await environment.files.content(of: outputFile) {
      output = content
    }
    let response = try ExecutableResponse(output, of: program)
    guard !response.isExpired(at: environment.clock.now) else { throw failed("returned an expired token") }
    let token = try response.token.get()
    // AIP-4117: with an output file, a response needs its expiration time.
    guard outputFile == nil || response.expiresAt != nil else {
      throw failed("returned no expiration_time, which is required with output_file")
    }
    return token
  }

  /// Returns the token in the program's output file, if it is still valid.
  ///
  /// An unreadable file counts as missing, for example during a write. The program then runs and reports any fault.
  private func keptToken() async -> Secret? {
    guard let outputFile, let content = try? await environment.files.content(of: outputFile),
      let response = try? ExecutableResponse(content, of: program),
      // A token without an expiry counts as expired.
      response.expiresAt != nil, !response.isExpired(at: environment.clock.now)
    else { return nil }
    return try? response.token.get()
  }

  private func run() async throws -> ProgramOutcome {
    guard let programs = environment.programs else {
      throw GoogleCredentialError(
        .unsupported, "The credential runs a program, which this platform does not allow. Use another credential.")
    }
    return try await environment.clock.limiting(
      to: limit, orThrow: failed("took longer than \(limit.components.seconds) seconds, and was ended")
    ) {
      try await programs.run(program, arguments, environment: variables)
    }
  }

  private func failed(_ problem: String) -> GoogleCredentialError {
    GoogleCredentialError(.subjectTokenUnavailable, "The credential's program \(program.printable) \(problem).")
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

/// The output of a credential's program ([response format](https://google.aip.dev/auth/4117)).
struct ExecutableResponse {
  /// The token, or the error reported by the program.
  let token: Result<Secret, GoogleCredentialError>
  /// The instant when the token expires, or `nil` if the program does not state it.
  let expiresAt: Timestamp?

  func isExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }

  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/subjectTokenUnavailable`` if the output is not
  ///   a response.
  init(_ output: [UInt8], of program: String) throws {
    func fault(_ problem: String) -> GoogleCredentialError {
      GoogleCredentialError(.subjectTokenUnavailable, "The credential's program \(program.printable) \(problem).")
    }
    do {
      guard let json = try? JSONValue(json: output), let members = JSONMembers(json.withoutAbsentMembers) else {
        throw fault("did not print a JSON object")
      }
      guard try members.required("version", \.number).integer == 1 else {
        throw fault("returned a response of an unsupported version")
      }
      expiresAt = try members.optional("expiration_time", \.number)?.integer.flatMap {
        $0 == 0 ? nil : Timestamp(secondsSince1970: Int64($0))
      }
      guard try members.required("success", \.bool) else {
        // The program's message can contain anything.
        let code = try members.required("code", \.string)
        _ = try members.required("message", \.string)
        token = .failure(fault("returned no token, with the error code \(code.printable)"))
        return
      }
      let type = try members.required("token_type", \.string)
      guard let member = Self.members[type] else { throw fault("returned a token of an unsupported type") }
      token = .success(Secret(try members.required(member, \.string)))
    } catch let error as JSONMembers.Mismatch {
      throw fault("returned a response whose member \(error.name) is missing or of another type")
    }
  }

  /// The member that contains the token, by token type.
  private static let members = [
    "urn:ietf:params:oauth:token-type:jwt": "id_token", "urn:ietf:params:oauth:token-type:id_token": "id_token",
    "urn:ietf:params:oauth:token-type:saml2": "saml_response",
  ]
}

/// A splitter of commands into words by the quoting rules of a POSIX shell, without its other features
/// ([Shell Command Language § 2.2](https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02)).
enum CommandWords {
  private enum Quote { case none, single, double }

  /// Returns the words, or `nil` if a quotation has no end.
  static func split(_ command: String) -> [String]? {
    var words: [String] = []
    var word: String.UnicodeScalarView?
    var quote = Quote.none
    var scalars = command.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      switch (quote, scalar) {
      case (.none, "'"), (.none, "\""):
        quote = scalar == "'" ? .single : .double
        word = word ?? .init()
      case (.single, "'"), (.double, "\""): quote = .none
      case (.none, "\\"), (.double, "\\"):
        guard let next = scalars.next() else { return nil }
        // Between double quotation marks, a backslash before most characters stands for itself.
        if quote == .double, next != "\"", next != "\\" { word?.append(scalar) }
        word = word ?? .init()
        word?.append(next)
      case (.none, _) where scalar.properties.isWhitespace:
        if let word { words.append(String(word)) }
        word = nil
      default:
        word = word ?? .init()
        word?.append(scalar)
      }
    }
    guard quote == .none else { return nil }
    if let word { words.append(String(word)) }
    return words
  }
}
