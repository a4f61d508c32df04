// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthJOSE
import Testing
import TokenStore

/// The errors of Google Cloud's token endpoint, its IAM Credentials API and a service on Cloud Run.
@Suite struct GoogleCloudFaultTests {
  private static let robot = "robot@example.iam.gserviceaccount.com"
  private static let service = "https://service.example"

  /// A sandbox with a user who may create tokens for an account, and another one who has too few scopes.
  private struct Cloud {
    let clock = ManualClock()
    let sandbox: GoogleCloudSandbox
    let key: SigningKey

    init() throws {
      key = try SigningKey.generate(.es256)
      var account = GoogleCloudSandbox.ServiceAccount(email: robot, keys: JWKSet([key.publicJWK]))
      account.tokenCreators = ["user@example.com", "poor@example.com"]
      var configuration = GoogleCloudSandbox.Configuration(serviceAccounts: [account])
      var poor = GoogleCloudSandbox.User(
        email: "poor@example.com", clientID: "poor", clientSecret: Secret("s"), refreshToken: Secret("r"))
      poor.scopes = ["email"]
      configuration.users = [
        GoogleCloudSandbox.User(
          email: "user@example.com", clientID: "app", clientSecret: Secret("s"), refreshToken: Secret("r")), poor,
      ]
      configuration.services = [service]
      configuration.idTokenAlgorithm = .es256
      sandbox = GoogleCloudSandbox(clock: clock, configuration: configuration)
    }

    func send(_ url: String, form: String) async throws -> Answer {
      Answer(
        response: await sandbox.respond(
          to: HTTPRequest(
            .post, try #require(URL(string: url)), fields: ["Content-Type": "application/x-www-form-urlencoded"],
            body: Array(form.utf8))))
    }

    func token(of client: String = "app") async throws -> String {
      let form = "grant_type=refresh_token&client_id=\(client)&client_secret=s&refresh_token=r"
      return try #require(try await send("https://oauth2.googleapis.com/token", form: form)["access_token"])
    }

    func credentials(_ path: String, _ json: String, token: String?, type: String = "application/json") async throws
      -> Answer
    {
      let url = try #require(URL(string: "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/\(path)"))
      var fields: HTTPFields = ["Content-Type": type]
      fields["Authorization"] = token.map { "Bearer \($0)" }
      return Answer(
        response: await sandbox.respond(to: HTTPRequest(.post, url, fields: fields, body: Array(json.utf8))))
    }
  }

  @Test(arguments: [
    ("grant_type=a&grant_type=b", "400 invalid_request: The body must be a form without repeated parameters."),
    ("grant_type=password", "400 unsupported_grant_type: Invalid grant_type."),
    ("", "400 unsupported_grant_type: Invalid grant_type."),
    (
      "grant_type=refresh_token&client_id=app&client_secret=s", "400 invalid_request: refresh_token is required."
    ),
    (
      "grant_type=refresh_token&client_id=app&refresh_token=r",
      "400 invalid_request: client_id and client_secret are required."
    ),
    (
      "grant_type=refresh_token&client_secret=s&refresh_token=r",
      "400 invalid_request: client_id and client_secret are required."
    ),
    (
      "grant_type=refresh_token&client_id=app&client_secret=x&refresh_token=r",
      "401 invalid_client: The OAuth client was not found."
    ),
    (
      "grant_type=refresh_token&client_id=x&client_secret=s&refresh_token=r",
      "401 invalid_client: The OAuth client was not found."
    ),
    (
      "grant_type=refresh_token&client_id=app&client_secret=s&refresh_token=x",
      "400 invalid_grant: Token has been expired or revoked."
    ),
    (
      "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer",
      "400 invalid_request: assertion is not a signed JWT."
    ),
    (
      "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion=a.b.c",
      "400 invalid_request: assertion is not a signed JWT."
    ),
  ])
  func tokenEndpoint(_ form: String, _ error: String) async throws {
    #expect(try await Cloud().send("https://oauth2.googleapis.com/token", form: form).oauthError == error)
  }

  @Test func formOfTheTokenEndpointIsTheBody() async throws {
    let query = "https://oauth2.googleapis.com/token?grant_type=refresh_token"
    #expect(
      try await Cloud().send(query, form: "grant_type=refresh_token").oauthError
        == "400 invalid_request: The body must be a form without repeated parameters.")
  }

  @Test(arguments: [
    ("\(robot)", "{}", "404 NOT_FOUND: Not found."),
    ("\(robot):other", "{}", "404 NOT_FOUND: Not found."),
    ("\(robot):generateAccessToken", "[]", "400 INVALID_ARGUMENT: The body is not a JSON object."),
    ("\(robot):generateAccessToken", "{}", "400 INVALID_ARGUMENT: The scope is missing."),
    ("\(robot):generateAccessToken", #"{"scope":[]}"#, "400 INVALID_ARGUMENT: The scope is missing."),
    (
      "\(robot):generateAccessToken", #"{"scope":["a"],"lifetime":"0s"}"#,
      "400 INVALID_ARGUMENT: The lifetime is not between 1 and 3600 seconds."
    ),
    (
      "\(robot):generateAccessToken", #"{"scope":["a"],"lifetime":"3601s"}"#,
      "400 INVALID_ARGUMENT: The lifetime is not between 1 and 3600 seconds."
    ),
    (
      "\(robot):generateAccessToken", #"{"scope":["a"],"lifetime":"60"}"#,
      "400 INVALID_ARGUMENT: The lifetime is not between 1 and 3600 seconds."
    ),
    (
      "\(robot):generateAccessToken", #"{"scope":["a"],"delegates":["x"]}"#,
      "400 INVALID_ARGUMENT: Invalid delegates."
    ),
    (
      "other@example.com:generateAccessToken", #"{"scope":["a"]}"#,
      "403 PERMISSION_DENIED: Permission 'iam.serviceAccounts.getAccessToken' denied on resource (or it may not exist)."
    ),
    ("\(robot):generateIdToken", "{}", "400 INVALID_ARGUMENT: The audience is missing."),
    ("\(robot):generateIdToken", #"{"audience":""}"#, "400 INVALID_ARGUMENT: The audience is missing."),
    (
      "\(robot):signJwt", #"{"payload":"{}"}"#,
      "400 INVALID_ARGUMENT: The payload is not a set of claims with an expiry within 12 hours."
    ),
  ])
  func credentialsAPI(_ path: String, _ body: String, _ error: String) async throws {
    let cloud = try Cloud()
    #expect(googleError(try await cloud.credentials(path, body, token: try await cloud.token())) == error)
  }

  @Test func callerOfTheCredentialsAPINeedsATokenWithItsScope() async throws {
    let cloud = try Cloud()
    let (path, body) = ("\(Self.robot):generateAccessToken", #"{"scope":["a"],"lifetime":"3600s"}"#)
    let invalid = "401 UNAUTHENTICATED: Request had invalid authentication credentials."
    #expect(googleError(try await cloud.credentials(path, body, token: nil)) == invalid)
    #expect(googleError(try await cloud.credentials(path, body, token: "other")) == invalid)
    let poor = try await cloud.token(of: "poor")
    #expect(
      googleError(try await cloud.credentials(path, body, token: poor))
        == "403 PERMISSION_DENIED: Request had insufficient authentication scopes.")
    let token = try await cloud.token()
    #expect(
      googleError(try await cloud.credentials(path, body, token: token, type: "text/plain"))
        == "400 INVALID_ARGUMENT: The body is not a JSON object.")
    #expect(try await cloud.credentials(path, body, token: token).status == 200)
    cloud.clock.advance(by: .seconds(3600))
    #expect(googleError(try await cloud.credentials(path, body, token: token)) == invalid)
  }

  @Test func serviceAsksForAnIDToken() async throws {
    let cloud = try Cloud()
    let url = try #require(URL(string: "\(Self.service)/"))
    let without = Answer(response: await cloud.sandbox.respond(to: HTTPRequest(.get, url)))
    #expect(without.status == 403 && without["error"] == "Your client does not have permission to get this URL.")
    let fields: HTTPFields = ["Authorization": "Bearer \(try await cloud.token())"]
    let other = Answer(response: await cloud.sandbox.respond(to: HTTPRequest(.get, url, fields: fields)))
    #expect(other.status == 401 && other["error"] == "The access token could not be verified.")
    #expect(other.response.fields["WWW-Authenticate"] == #"Bearer error="invalid_token""#)
  }

  /// The error of a Google API without a list of errors.
  private func googleError(_ answer: Answer) -> String {
    let error = answer.object["error"] as? [String: Any] ?? [:]
    guard error["code"] as? Int == answer.status else { return "\(answer.status) \(answer.text)" }
    return "\(answer.status) \(error["status"] as? String ?? "-"): \(error["message"] as? String ?? "-")"
  }
}
