// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthJOSE
import OAuthScope
import Synchronization
import Timekeeping

/// The IAM Service Account Credentials API
/// ([REST reference](https://cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts)).
extension GoogleCloudSandbox {
  /// The accepted scopes of a caller.
  ///
  /// One of them is required.
  private static let callerScopes: Set<Scope> = [
    "https://www.googleapis.com/auth/iam", "https://www.googleapis.com/auth/cloud-platform",
  ]

  func credentialsResponse(to request: HTTPRequest, path: String) async -> HTTPResponse {
    do {
      let root = "/v1/projects/-/serviceAccounts/"
      guard path.hasPrefix(root), let colon = path.lastIndex(of: ":") else {
        throw Refusal(status: 404, name: "NOT_FOUND", message: "Not found.")
      }
      let email = String(path[..<colon].dropFirst(root.count))
      guard let body = request.jsonMembers else { throw Refusal.invalid("The body is not a JSON object.") }
      let account = try target(email, for: caller(of: request, with: Self.callerScopes), through: delegates(in: body))
      switch path[path.index(after: colon)...] {
      case "generateAccessToken": return .json(.object(try generateAccessToken(body, account)))
      case "generateIdToken": return .json(.object(try await generateIDToken(body, account)))
      case "signJwt": return .json(.object(try await signJWT(body, account)))
      default: throw Refusal(status: 404, name: "NOT_FOUND", message: "Not found.")
      }
    } catch let refusal as Refusal {
      return refusal.response
    } catch {
      return Refusal(status: 500, name: "INTERNAL", message: "The token could not be signed.").response
    }
  }

  private func delegates(in body: [String: JSONValue]) throws(Refusal) -> [String] {
    guard let value = body["delegates"], value != .null else { return [] }
    let prefix = "projects/-/serviceAccounts/"
    guard let names = value.strings, names.allSatisfy({ $0.hasPrefix(prefix) }) else {
      throw .invalid("Invalid delegates.")
    }
    return names.map { String($0.dropFirst(prefix.count)) }
  }

  /// Returns the account if the caller and each delegate can create tokens for the next account in the chain.
  private func target(
    _ email: String, for caller: Identity, through delegates: [String]
  ) throws(Refusal) -> ServiceAccount {
    let denied = Refusal(
      status: 403, name: "PERMISSION_DENIED",
      message: "Permission 'iam.serviceAccounts.getAccessToken' denied on resource (or it may not exist).")
    var creator = caller.principal
    var target: ServiceAccount?
    for name in delegates + [email] {
      guard let account = configuration.serviceAccounts.first(where: { $0.email == name || $0.uniqueID == name }),
        // To impersonate itself, an account needs the role on itself.
        account.tokenCreators.contains(creator)
      else { throw denied }
      creator = account.email
      target = account
    }
    guard let target else { throw denied }
    return target
  }

  private func generateAccessToken(
    _ body: [String: JSONValue], _ account: ServiceAccount
  ) throws(Refusal) -> [String: JSONValue] {
    guard let scopes = body["scope"]?.strings?.map({ Scope($0) }), !scopes.isEmpty else {
      throw .invalid("The scope is missing.")
    }
    let text = body["lifetime"].map { $0.string ?? "" } ?? "3600s"
    guard text.hasSuffix("s"), let seconds = Int(text.dropLast()), (1...3600).contains(seconds) else {
      throw .invalid("The lifetime is not between 1 and 3600 seconds.")
    }
    let token = newAccessToken(principal: account.email, scopes: scopes, lifetime: .seconds(seconds))
    let expires = clock.now + .seconds(seconds)
    return ["accessToken": .string(token), "expireTime": .string(expires.rfc3339(fractionDigits: 0))]
  }

  private func generateIDToken(
    _ body: [String: JSONValue], _ account: ServiceAccount
  ) async throws -> [String: JSONValue] {
    guard let audience = body["audience"]?.string, !audience.isEmpty else {
      throw Refusal.invalid("The audience is missing.")
    }
    return ["token": .string(try await idToken(for: audience, of: account.email))]
  }

  private func signJWT(_ body: [String: JSONValue], _ account: ServiceAccount) async throws -> [String: JSONValue] {
    guard let payload = body["payload"]?.string.map({ Array($0.utf8) }), let claims = JSONValue.members(of: payload),
      let expires = claims["exp"]?.number?.integer,
      Timestamp(secondsSince1970: Int64(expires)) <= clock.now + .seconds(43_200)
    else { throw Refusal.invalid("The payload is not a set of claims with an expiry within 12 hours.") }
    let key = try await accountKey.key()
    let keyID = key.publicJWK.keyID ?? ""
    return ["keyId": .string(keyID), "signedJwt": .string(try JWS.sign(payload, with: key, keyID: keyID))]
  }
}
