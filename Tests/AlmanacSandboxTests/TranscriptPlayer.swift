// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import OAuthJOSE
import Testing
import TokenStore

/// Carries out the lines of a transcript.
///
/// - `GET URL`, `POST URL BODY`, and the like of other methods: a form or JSON. Indented lines are fields, or the body.
///   `AS TOKEN` before it sends an access token, `DPOP` the latest proof. `METADATA PATH` is a request to Google's metadata server.
/// - `GIVEN` before a line: it is a preparation, whose response appears only if it is refused.
/// - `ALLOW URL`, `DENY URL`, `ALLOW URL as USER`: what the user does with an authorization request.
/// - `SIGN-IN PARAMETERS`, `SIGN-IN PARAMETERS as USER`: allows `{authorize}` with these parameters, and redeems the code.
/// - `TOKEN FORM`: sends a form to the token endpoint; `QUICKADD TEXT`: shows the event that Google's `quickAdd` makes of a text;
///   `INSERT JSON`: what the type of an event that is inserted sets.
/// - `ENTER CODE`, `REFUSE CODE`: what the user does with the code of a device.
/// - `SIGN NAME KEY TYPE CLAIMS`: makes a JWT, `{NAME}` in later lines. `PROVE CLAIMS`, `PROVE KEY CLAIMS`: makes a DPoP proof, `{proof}`.
/// - `ASSERT CLAIMS`: lets Google sign the claims for the holder of `{user}`, and sends this assertion to Google's token endpoint.
/// - `SET NAME VALUE` keeps a value; `BEARER TOKEN` is the access token of later calls of the Calendar API. With the option `calendar`,
///   this is the first user's token, and `{ana}` is Ana's.
/// - `ADVANCE SECONDS` moves the clock; `LOG` shows what was logged since the last time.
///
/// `{authorize}` is an authorization request without its scope, `{redemption}` the form that redeems its code. A response shows what is its
/// own. Fields that all of its kind have, the frame of a page, and a page that was shown before are left out, and an `ETag` that the body
/// repeats. The `ETag` of a partial response appears only for a conditional request.
final class TranscriptPlayer {
  private let harness: SandboxHarness
  private var values: [String: String] = ["verifier": SandboxHarness.verifier, "challenge": SandboxHarness.challenge]
  private var logged = 0
  private var bearer: String?
  private var pages: Set<[String]> = []
  private let isOfCalendars: Bool

  private static let redirect = "http://127.0.0.1:49152/callback"
  private static let request =
    "/authorize?response_type=code&client_id=almanac&redirect_uri=\(redirect)&state=s"
    + "&code_challenge={challenge}&code_challenge_method=S256"
  private static let redemption =
    "grant_type=authorization_code&client_id=almanac&code={code}&redirect_uri=\(redirect)&code_verifier={verifier}"

  private static let signer = try? SigningKey.generate(.es256)
  private static let stranger = try? SigningKey.generate(.es256)
  private static let robot = Task { try await SigningKey.generate(.rs256, bits: 2048) }

  init(_ options: Set<String>) throws {
    let signer = try #require(Self.signer)
    isOfCalendars = options.contains("calendar")
    harness = try SandboxHarness {
      $0.clients = Self.clients(signer)
      $0.otherUsers = [
        Sandbox.User(subject: "2", givenName: "Ana", familyName: "Muestra", email: "ana@example.com")
      ]
      $0.groups = [Sandbox.Group(email: "team@example.com", members: ["ana@example.com"])]
      $0.assertionIssuers = ["reports": JWKSet([signer.publicJWK])]
      $0.exchangeAudiences = ["backend"]
      $0.resources = ["https://api.example/"]
      $0.authorizationDetailsTypes = ["payment"]
      $0.authenticationContextClasses = ["silver", "bronze"]
      $0.isControllable = options.contains("control")
      $0.requiresPushedAuthorizationRequests = options.contains("pushed")
      $0.signsUserinfo = options.contains("signed-userinfo")
      if options.contains("registration") { $0.registrationAccess = .open }
      if options.contains("initial-token") { $0.registrationAccess = .withToken(Secret("initial")) }
      if options.contains("consenting") { $0.consentingUser = "ana@example.com" }
      if options.contains("nonces") { $0.proofs?.requestsPerNonce = 2 }
      if options.contains("posting") { $0.dialect.postsResponses = true }
      if options.contains("quota") { $0.quota = Sandbox.Quota(perUser: 4, perClient: 6) }
      if options.contains("cloud") { $0.googleCloud = Self.cloud(signer) }
    }
  }

  private static func clients(_ signer: SigningKey) -> [Sandbox.Client] {
    let secret = Secret("secret")
    var native = Sandbox.Client.native
    native.postLogoutRedirectURIs = ["https://app.example/out", "https://app.example/out?a=b"]
    var service = Sandbox.Client(
      id: "service", name: "Service", redirectURIs: ["https://app.example/callback"],
      authentication: .clientSecretPost(secret))
    service.requestObjectKeys = JWKSet([signer.publicJWK])
    let other = Sandbox.Client(
      id: "other", name: "Other", redirectURIs: ["https://other.example/"], authentication: .clientSecretBasic(secret))
    let signing = Sandbox.Client(
      id: "signing", name: "Signing", redirectURIs: [], authentication: .privateKeyJWT(JWKSet([signer.publicJWK])))
    var strict = service
    (strict.id, strict.requiresSignedRequests, strict.requiresBoundTokens) = ("strict", true, true)
    return [native, .desktop, service, other, signing, strict]
  }

  private static func cloud(_ signer: SigningKey) -> GoogleCloudSandbox.Configuration {
    var robot = GoogleCloudSandbox.ServiceAccount(email: "robot@project.example")
    robot.delegators = ["ana@example.com"]
    robot.tokenCreators = ["user@example.com", "robot@project.example"]
    var inner = GoogleCloudSandbox.ServiceAccount(email: "inner@project.example")
    inner.tokenCreators = ["robot@project.example"]
    var configuration = GoogleCloudSandbox.Configuration(serviceAccounts: [robot, inner])
    var poor = GoogleCloudSandbox.User(
      email: "poor@example.com", clientID: "poor", clientSecret: Secret("s"), refreshToken: Secret("r"))
    poor.scopes = ["email"]
    configuration.users = [
      .init(email: "user@example.com", clientID: "app", clientSecret: Secret("s"), refreshToken: Secret("r")), poor,
    ]
    let pool = "//iam.googleapis.com/locations/global"
    var workforce = GoogleCloudSandbox.IdentityProvider(
      audience: "\(pool)/workforcePools/people/providers/idp", issuer: "https://idp.example",
      keys: JWKSet([signer.publicJWK]))
    var named = workforce
    (named.audience, named.clientID, named.clientSecret) = (
      "\(pool)/workforcePools/named/providers/idp", "app", Secret("s")
    )
    let workload = GoogleCloudSandbox.IdentityProvider(
      audience: "\(pool)/workloadIdentityPools/jobs/providers/ci", issuer: "https://ci.example",
      keys: JWKSet([signer.publicJWK]))
    workforce.clientID = nil
    configuration.identityProviders = [workforce, named, workload]
    configuration.services = ["https://service.example"]
    configuration.attachedAccount = "robot@project.example"
    configuration.idTokenAlgorithm = .es256
    return configuration
  }

  func carryOut(_ line: String, _ more: [String]) async throws -> [String] {
    if isOfCalendars, bearer == nil {
      values["ana"] = try await harness.token(of: "ana@example.com")
      bearer = try await harness.token()
    }
    let words = filled(line).split(separator: " ", maxSplits: 1).map { String($0) }
    let rest = words.count > 1 ? words[1] : ""
    switch words[0] {
    case "ADVANCE":
      harness.clock.advance(by: .seconds(try #require(Int64(rest))))
      return []
    case "SET":
      let parts = rest.split(separator: " ", maxSplits: 1).map { String($0) }
      values[parts[0]] = parts[1]
      return []
    case "BEARER":
      bearer = rest
      return []
    case "LOG":
      let entries = harness.sandbox.log.dropFirst(logged)
      logged += entries.count
      return counted(entries.map { normalized($0.description) })
    case "ALLOW", "DENY": return decided(rest, denies: words[0] == "DENY")
    case "SIGN-IN":
      let callback = decided(filled("{authorize}&\(rest)"), denies: false)
      guard callback == ["\(Self.redirect)?code=TOKEN&state=s&iss=https%3A%2F%2Fsandbox.example"] else {
        return callback
      }
      return try await sent(.post, "/token", [filled("{redemption}")])
    case "GIVEN":
      let lines = try await carryOut(rest, more)
      let isDone = lines.first.map { $0.hasPrefix("2") || $0.hasPrefix("http") && !$0.contains("error=") } ?? true
      return isDone ? [] : lines
    case "AS":
      let parts = rest.split(separator: " ", maxSplits: 1)
      return try await carryOut(String(parts[1]), ["Authorization: Bearer \(parts[0])"] + more)
    case "DPOP": return try await carryOut(rest, ["DPoP: {proof}"] + more)
    case "METADATA":
      return try await sent(.get, "http://metadata.google.internal\(rest)", ["Metadata-Flavor: Google"] + more)
    case "TOKEN": return try await sent(.post, "/token", more.map(filled) + [rest])
    case "QUICKADD":
      let query: FormFields = ["fields": "end,location,recurrence,start,summary", "text": rest]
      return try await sent(
        .post, "/calendar/v3/calendars/primary/events/quickAdd?\(FormEncoding.form.encode(query))", [], hiding: ["ETag"]
      )
    case "INSERT":
      let query = "supportsAttachments=true&fields=birthdayProperties(type),eventType,transparency,visibility"
      return try await sent(.post, "/calendar/v3/calendars/primary/events?\(query)", [rest], hiding: ["ETag"])
    case "ENTER", "REFUSE":
      return outcome {
        if words[0] == "REFUSE" {
          try harness.sandbox.deny(userCode: rest)
        } else {
          try harness.sandbox.approve(userCode: rest)
        }
        return []
      }
    case "SIGN":
      let parts = rest.split(separator: " ", maxSplits: 3).map { String($0) }
      let key = try await key(parts[1])
      values[parts[0]] = try JWS.sign(
        Array(parts[3].utf8), with: key, keyID: key.publicJWK.keyID ?? "k", type: parts[2])
      return []
    case "ASSERT":
      let payload = JSONValue.string(rest).json()
      let path = "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/robot@project.example:signJwt"
      _ = try await sent(
        .post, path,
        ["Authorization: Bearer \(values["user"] ?? "")", #"{"payload":\#(String(decoding: payload, as: UTF8.self))}"#])
      let form = "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion={signedJwt}"
      return try await sent(.post, "https://oauth2.googleapis.com/token", [filled(form)])
    case "PROVE":
      let parts = rest.split(separator: " ", maxSplits: 1).map { String($0) }
      let isNamed = !rest.hasPrefix("{")
      values["proof"] = try proof(isNamed ? parts[1] : rest, by: try await key(isNamed ? parts[0] : "signer"))
      return []
    default:
      // The URL of a request with a body has no spaces.
      let parts = words[0].hasPrefix("P") ? rest.split(separator: " ", maxSplits: 1) : [rest[...]]
      let body = parts.dropFirst().map { String($0) }
      return try await sent(HTTPMethod(rawValue: words[0]), String(parts[0]), more.map(filled) + body)
    }
  }

  /// The lines, each once with the number of times that it follows itself.
  private func counted(_ lines: [String]) -> [String] {
    var runs: [(line: String, count: Int)] = []
    for line in lines {
      if runs.last?.line == line { runs[runs.count - 1].count += 1 } else { runs.append((line, 1)) }
    }
    return runs.map { $0.count > 1 ? "\($0.line) (\($0.count) times)" : $0.line }
  }

  private func key(_ name: String) async throws -> SigningKey {
    switch name {
    case "stranger": try #require(Self.stranger)
    case "robot": try await Self.robot.value
    default: try #require(Self.signer)
    }
  }

  private func proof(_ claims: String, by key: SigningKey) throws -> String {
    values["thumbprint"] = key.publicJWK.thumbprint
    let jwk = try String(decoding: JSONEncoder().encode(key.publicJWK.bare), as: UTF8.self)
    let header = #"{"typ":"dpop+jwt","alg":"ES256","jwk":\#(jwk)}"#
    let input = [header, claims].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
    return try input + "." + Base64URL.encode(key.signature(for: Array(input.utf8)))
  }

  private func decided(_ text: String, denies: Bool) -> [String] {
    outcome {
      let words = text.components(separatedBy: " as ")
      let url = try #require(URL(string: SandboxHarness.base + words[0]))
      let callback =
        denies
        ? try harness.sandbox.deny(url) : try harness.sandbox.approve(url, as: words.count > 1 ? words[1] : nil)
      keep(harness.parameters(of: callback))
      return [normalized(callback.absoluteString)]
    }
  }

  private func outcome(_ body: () throws -> [String]) -> [String] {
    do { return try body() } catch { return ["error: \(error)"] }
  }

  private func sent(
    _ method: HTTPMethod, _ address: String, _ more: [String], hiding hidden: Set<String> = []
  ) async throws -> [String] {
    let url = try #require(URL(string: address.hasPrefix("http") ? address : SandboxHarness.base + address))
    var request = HTTPRequest(method, url)
    let isField = { (line: String) in line.firstMatch(of: #/^[A-Z][A-Za-z0-9-]*: /#) != nil }
    for line in more.prefix(while: isField) {
      let colon = try #require(line.firstIndex(of: ":"))
      request.fields.append(String(line[..<colon]), String(line[colon...].dropFirst(2)))
    }
    if let bearer, url.path().hasPrefix("/calendar/") || url.path().hasPrefix("/batch/") {
      request.fields["Authorization"] = request.fields["Authorization"] ?? "Bearer \(bearer)"
    }
    let body = more.drop(while: isField).joined(separator: "\n")
    if !body.isEmpty {
      request.body = Array(body.utf8)
      let type = body.hasPrefix("{") || body.hasPrefix("[") ? "json" : "x-www-form-urlencoded"
      request.fields["Content-Type"] = request.fields["Content-Type"] ?? "application/\(type)"
    }
    let isWhole = !address.contains("fields=") || request.fields["If-None-Match"] != nil
    return shown(try await harness.transport.send(request), hiding: isWhole ? hidden : hidden.union(["ETag"]))
  }

  private func keep(_ parameters: FormFields) {
    for field in parameters { values[field.name] = field.value }
  }

  private func filled(_ text: String) -> String {
    text.replacing("{authorize}", with: Self.request).replacing("{redemption}", with: Self.redemption)
      .replacing(/\{([A-Za-z_]+)\}/) { match in values[String(match.1)] ?? String(match.0) }
  }

  /// The fields that every response of a kind has.
  private static let common = [
    "Cache-Control: no-store", "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff",
  ]
  private static let json = common + ["Content-Type: application/json; charset=utf-8", "Pragma: no-cache"]
  private static let kinds = [
    ("basic", json + [#"WWW-Authenticate: Basic realm="sandbox", charset="UTF-8""#]), ("json", json),
    (
      "page",
      common + [
        "Content-Type: text/html; charset=utf-8", "Cross-Origin-Opener-Policy: same-origin",
        "Cross-Origin-Resource-Policy: same-origin", "X-Frame-Options: DENY",
      ]
    ), ("other", common), ("text", ["Content-Type: application/text", "Metadata-Flavor: Google"]),
    ("empty", ["Cache-Control: no-store"]), ("bare", []),
  ]

  private func shown(_ response: HTTPResponse, hiding hidden: Set<String>) -> [String] {
    let body = String(decoding: response.body, as: UTF8.self)
    let json = try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
    for (name, value) in json ?? [:] { if let text = value as? String { values[name] = text } }
    if let match = body.firstMatch(of: /name="consent" value="([^"]+)"/) { values["consent"] = String(match.1) }
    if let query = response.fields["Location"]?.components(separatedBy: "?").last {
      keep(FormEncoding.form.decode(query))
    }
    if let nonce = response.fields["DPoP-Nonce"] { values["nonce"] = nonce }
    var hidden = hidden.union(["Date"])
    if let tag = json?["etag"] as? String, tag == response.fields["ETag"] { hidden.insert("ETag") }
    let fields = response.fields.filter { !hidden.contains($0.name) }.map { "\($0.name): \($0.value)" }
    let kind = Self.kinds.first { Set($0.1).isSubset(of: fields) } ?? ("bare", [])
    let more = fields.filter { !kind.1.contains($0) }.sorted().map(normalized)
    let policies = more.compactMap { Self.between(Self.policy, in: $0) }
    var head = ["\(response.status) \(kind.0)"]
    var text = normalized(body)
    if let page = Self.between(Self.frame, in: text)?.components(separatedBy: Self.titleEnd), page.count == 2 {
      head.append("(\(page[0]))")
      text = page[1]
      if let message = Self.between(("<h1>\(page[0])</h1>\n<p>", Self.messageEnd), in: text) {
        text = message
      } else if !pages.insert(page).inserted {
        text = "(as before)"
      }
    }
    var rest = more.filter { Self.between(Self.policy, in: $0) == nil }
    var lines = body.isEmpty ? [] : text.components(separatedBy: "\n")
    head += policies
    if rest.count <= 1, lines.count <= 1 {
      head += rest + lines
      (rest, lines) = ([], [])
    }
    return [head.joined(separator: " ")] + rest + lines + Self.parts(ofTokensIn: body).map(normalized)
  }

  /// The text around the title and `<main>` of every page, and around `form-action` in its policy.
  private static let frame = (
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>
    """,
    """

    </main>
    <footer>A sandbox for testing. Neither the account nor its data is real.</footer>
    </body>
    </html>

    """
  )
  private static let titleEnd = " – Sandbox</title>\n<style></style>\n</head>\n<body>\n<main>\n"
  private static let messageEnd = "</p>\n<p class=\"back\"><a href=\"/\">About this server</a></p>"
  private static let policy = (
    "Content-Security-Policy: default-src 'none'; style-src 'sha256-STYLE'; ",
    "; base-uri 'none'; frame-ancestors 'none'"
  )

  private static func between(_ frame: (String, String), in text: String) -> String? {
    guard text.hasPrefix(frame.0), text.hasSuffix(frame.1) else { return nil }
    return String(text.dropFirst(frame.0.count).dropLast(frame.1.count))
  }

  /// The headers and claims of signed tokens.
  private static func parts(ofTokensIn text: String) -> [String] {
    text.matches(of: /(eyJ[A-Za-z0-9_-]+)\.(eyJ[A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+/).map { match in
      [match.1, match.2].map { String(decoding: Base64URL.decode(String($0)) ?? [], as: UTF8.self) }.joined(
        separator: " ")
    }
  }

  /// A text with names in place of what differs in every run, and without the style of pages.
  private func normalized(_ text: String) -> String {
    text.replacing("\r\n", with: "\n").replacing(/<style>.*?<\/style>/, with: "<style></style>")
      .replacing(/'sha256-[^']+'/, with: "'sha256-STYLE'")
      .replacing(/eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/, with: "JWT")
      .replacing(/(^|[^A-Za-z0-9_-])(?![a-v0-9]{26}_)[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/) { "\($0.1)TOKEN" }
      .replacing(/"at_hash":"[A-Za-z0-9_-]{22}"/, with: #""at_hash":"HALF""#)
      .replacing(/(batch_)[A-Za-z0-9_-]{43}/, with: "batch_TOKEN")
      .replacing(/[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/, with: "USER-CODE")
  }
}
