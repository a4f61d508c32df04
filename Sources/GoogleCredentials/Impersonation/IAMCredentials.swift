// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthCore
import PlatformFoundation
import Timekeeping
import TokenStore

/// The IAM Service Account Credentials API, for one service account
/// ([REST reference](https://cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts)).
struct IAMCredentials: Sendable {
  /// The account's e-mail address or numeric identifier.
  let email: String
  /// The intermediate accounts between the caller and this one, each of which may create tokens for the next.
  let delegates: [String]
  /// The URL of the account, without a method.
  private let account: String
  private let source: any TokenSource
  private let environment: CredentialEnvironment

  /// - Parameters:
  ///   - email: The account's e-mail address or numeric identifier, without characters with a meaning in a URL.
  ///   - base: The API's URL, without a trailing slash.
  ///   - source: The tokens of the caller.
  init(
    _ email: String, at base: String, delegates: [String], source: any TokenSource, environment: CredentialEnvironment
  ) {
    self.email = email
    self.delegates = delegates
    self.source = source
    self.environment = environment
    account = "\(base)/v1/projects/-/serviceAccounts/\(email)"
  }

  func accessToken(scopes: [Scope], lifetime: Duration) async throws -> AccessToken {
    let response = try await call(
      "generateAccessToken",
      ["scope": .array(scopes.map { .string($0.rawValue) }), "lifetime": "\(String(lifetime.components.seconds))s"])
    guard let token = response.json["accessToken"]?.string,
      let expiry = response.json["expireTime"]?.string.flatMap({ try? Timestamp(rfc3339: $0) })
    else { throw invalidResponse }
    return AccessToken(
      Secret(token), scopes: scopes, expiresAt: expiry, issuedAt: response.time,
      serverClockOffset: response.time - environment.clock.now)
  }

  func idToken(for audience: String) async throws -> AccessToken {
    let response = try await call("generateIdToken", ["audience": .string(audience), "includeEmail": true])
    guard let token = response.json["token"]?.string else { throw invalidResponse }
    return try .idToken(token, for: audience)
  }

  /// Returns the claims, signed with the account's key stored at Google.
  func signedJWT(_ claims: GoogleClaims) async throws -> String {
    let response = try await call("signJwt", ["payload": .string(String(decoding: claims.json, as: UTF8.self))])
    guard let token = response.json["signedJwt"]?.string else { throw invalidResponse }
    return token
  }

  private func call(
    _ method: String, _ members: [String: JSONValue]
  ) async throws -> (json: JSONValue, time: Timestamp) {
    guard let url = URL(string: "\(account):\(method)"), let origin = Origin(url) else { throw invalidResponse }
    var members = members
    if !delegates.isEmpty {
      members["delegates"] = .array(delegates.map { .string("projects/-/serviceAccounts/\($0)") })
    }
    let request = HTTPRequest(
      .post, url, fields: ["Content-Type": "application/json"], body: JSONValue.object(members).json(),
      redirectScope: .sameOrigin)
    let transport = RepeatableRequests(environment.transport).authorized(by: source, for: [origin])
    let response = try await transport.send(request)
    guard response.isSuccess else { throw refusal(response) }
    guard let json = try? JSONValue(json: response.body) else { throw invalidResponse }
    return (json.withoutAbsentMembers, response.fields["Date"].flatMap(HTTPDate.parse) ?? environment.clock.now)
  }

  private var invalidResponse: GoogleCredentialError {
    GoogleCredentialError(
      .invalidResponse, "The response of the IAM Credentials API about \(email) is not what Google documents.")
  }

  private func refusal(_ response: HTTPResponse) -> GoogleCredentialError {
    guard !response.isTransientFailure else {
      return GoogleCredentialError(
        .serverUnavailable,
        "The IAM Credentials API is temporarily unavailable (status \(response.status)). Try again later.")
    }
    let status = JSONValue(errorBody: response.body)?.withoutAbsentMembers["error"]?["status"]?.string?.printable
    let remedy =
      status == "PERMISSION_DENIED"
      ? " Enable the API iamcredentials.googleapis.com, and grant the caller the role Service Account Token Creator on the account."
      : ""
    return GoogleCredentialError(
      .refused, "Google refused to issue a token for \(email) (\(status ?? "status \(response.status)")).\(remedy)",
      status: status
    )
  }
}

/// The member `service_account_impersonation_url` of a file: the URL of `generateAccessToken` for one account.
struct ImpersonationURL {
  /// The API's URL.
  let base: String
  /// The account's e-mail address or numeric identifier.
  let email: String

  /// Parses the member, or returns `nil` if it is missing.
  ///
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/untrustedURL`` if the URL is not Google's.
  init?(_ document: CredentialDocument, _ environment: CredentialEnvironment) throws {
    let member = "service_account_impersonation_url"
    guard let url = try document.optionalURL(member) else { return nil }
    let path = url.path(percentEncoded: true)
    let prefix = "/v1/projects/-/serviceAccounts/"
    let suffix = ":generateAccessToken"
    guard GoogleHost.isHost(url, of: "iamcredentials", in: environment.universe), url.query() == nil,
      path.hasPrefix(prefix), path.hasSuffix(suffix), let origin = Origin(url)
    else { throw document.untrusted(member, expecting: "https://iamcredentials.googleapis.com\(prefix)EMAIL\(suffix)") }
    let name = path.dropFirst(prefix.count).dropLast(suffix.count).replacing("%40", with: "@")
    guard String(name).isAccountName else {
      throw document.error(.malformed, member, "does not name a service account by its e-mail address or its number.")
    }
    base = origin.description
    email = String(name)
  }
}
