// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthJOSE
import PlatformFoundation
import Support
import Synchronization
import Timekeeping
import TokenStore

/// A dynamically registered client ([RFC 7591](https://www.rfc-editor.org/rfc/rfc7591.html)).
struct RegisteredEntry: Sendable {
  var client: Sandbox.Client
  var metadata: [String: JSONValue]
  let token: SecretDigest
  let issuedAt: Timestamp
}

extension AuthorizationServer {
  /// Handles a request to the registration endpoint ([RFC 7591 § 3](https://www.rfc-editor.org/rfc/rfc7591.html#section-3)).
  func registrationResponse(to request: HTTPRequest, at server: ServerProfile) -> HTTPResponse {
    do throws(OAuthFault) {
      guard let expected = configuration.registrationAccess else {
        throw .invalidRequest("This server does not register clients.")
      }
      if case .withToken(let token) = expected, request.bearerToken.map(Secret.init) != token {
        return .json(["error": "invalid_token"], status: 401, fields: [("WWW-Authenticate", "Bearer")])
      }
      let metadata = try clientMetadata(in: request)
      let (id, token, now) = (randomToken(), randomToken(), clock.now)
      let client = try client(id, metadata, secret: Secret(randomToken()))
      let entry = RegisteredEntry(client: client, metadata: metadata, token: SecretDigest(of: token), issuedAt: now)
      state.withLock { $0.registered[id] = entry }
      return .json(response(for: entry, token: token, at: server), status: 201)
    } catch {
      return .oauthError(error)
    }
  }

  /// Handles a request to a client configuration endpoint
  /// ([RFC 7592 § 2](https://www.rfc-editor.org/rfc/rfc7592.html#section-2)).
  func registrationManagementResponse(
    to request: HTTPRequest, id: String, at server: ServerProfile
  ) -> HTTPResponse {
    guard let token = request.bearerToken, let entry = state.withLock({ $0.registered[id] }),
      entry.token == SecretDigest(of: token)
    else {
      // § 2.1: an unknown client gets the same response.
      return .json(["error": "invalid_token"], status: 401, fields: [("WWW-Authenticate", "Bearer")])
    }
    do throws(OAuthFault) {
      switch request.method {
      case .put:
        var metadata = try clientMetadata(in: request)
        guard metadata.removeValue(forKey: "client_id") == .string(id) else {
          throw .invalidRequest("client_id is missing or belongs to another client.")
        }
        let secret = metadata.removeValue(forKey: "client_secret")
        guard secret == nil || secret == entry.client.authentication.secret.map({ .string($0.reveal()) }) else {
          throw .invalidRequest("client_secret differs from the client's secret.")
        }
        // § 2.2: the members that only the server sets.
        let own = [
          "registration_access_token", "registration_client_uri", "client_secret_expires_at", "client_id_issued_at",
        ]
        guard !own.contains(where: { metadata[$0] != nil }) else {
          throw .invalidRequest("The request has a member that only the server sets.")
        }
        var updated = entry
        updated.client = try client(id, metadata, secret: entry.client.authentication.secret ?? Secret(randomToken()))
        updated.metadata = metadata
        state.withLock { $0.registered[id] = updated }
        return .json(response(for: updated, token: token, at: server))
      case .delete:
        state.withLock {
          $0.registered[id] = nil
          $0.issued[server.realm]?.grants.endAll { $0.clientID == id }
        }
        return HTTPResponse(status: 204, fields: ["Cache-Control": "no-store"])
      default:
        return .json(response(for: entry, token: token, at: server))
      }
    } catch {
      return .oauthError(error)
    }
  }

  private func clientMetadata(in request: HTTPRequest) throws(OAuthFault) -> [String: JSONValue] {
    guard let metadata = request.jsonMembers else {
      throw OAuthFault("invalid_client_metadata", "The body is not a JSON object.")
    }
    return metadata
  }

  private func client(
    _ id: String, _ metadata: [String: JSONValue], secret: Secret
  ) throws(OAuthFault) -> Client {
    guard metadata["software_statement"] == nil else {
      throw OAuthFault("unapproved_software_statement", "Software statements are not supported.")
    }
    let invalid = OAuthFault("invalid_client_metadata", "A member has an unsupported value.")
    let keys = metadata["jwks"].flatMap { try? JWKSet(json: $0.json()) }
    guard keys?.keys.isEmpty == false || metadata["jwks"] == nil else { throw invalid }
    var authentication: Client.Authentication
    switch metadata["token_endpoint_auth_method"] ?? "client_secret_basic" {
    case "none": authentication = .none
    case "client_secret_basic": authentication = .clientSecretBasic(secret)
    case "client_secret_post": authentication = .clientSecretPost(secret)
    case "client_secret_jwt": authentication = .clientSecretJWT(secret)
    case "private_key_jwt":
      guard let keys else { throw invalid }
      authentication = .privateKeyJWT(keys)
    default: throw invalid
    }
    let grants = metadata["grant_types"] ?? ["authorization_code"]
    guard case .array(let grants) = grants,
      grants.allSatisfy({ grant in Self.grants.keys.contains { .string($0) == grant } })
    else { throw invalid }
    // CIBA Core § 4: a client that registers the grant must state its token delivery mode.
    let delivery = metadata["backchannel_token_delivery_mode"]
    guard delivery == (grants.contains(.string(Self.backchannelGrant)) ? "poll" : delivery),
      delivery ?? "poll" == "poll"
    else { throw invalid }
    var redirectURIs: [String] = []
    if case .array(let uris)? = metadata["redirect_uris"] { redirectURIs = uris.map(\.parameterText) }
    let isUsable = { (text: String) in
      URL(string: text).map { $0.scheme != nil && $0.fragment() == nil && ($0.scheme != "http" || text.isLoopback) }
        ?? false
    }
    guard redirectURIs.allSatisfy(isUsable), !redirectURIs.isEmpty || !grants.contains("authorization_code") else {
      throw OAuthFault("invalid_redirect_uri", "redirect_uris is missing or has a URI that is not allowed.")
    }
    var client = Client(
      id: id, name: metadata["client_name"]?.parameterText ?? id, redirectURIs: redirectURIs,
      authentication: authentication)
    client.requestObjectKeys = keys
    client.requiresSignedRequests = metadata["require_signed_request_object"]?.bool ?? false
    guard !client.requiresSignedRequests || keys != nil else { throw invalid }
    client.requiresBoundTokens = metadata["dpop_bound_access_tokens"]?.bool ?? false
    return client
  }

  private func response(for entry: RegisteredEntry, token: String, at server: ServerProfile) -> JSONValue {
    var members = entry.metadata
    members["client_id"] = .string(entry.client.id)
    members["client_id_issued_at"] = .integer(entry.issuedAt.secondsSince1970)
    members["token_endpoint_auth_method"] = members["token_endpoint_auth_method"] ?? "client_secret_basic"
    members["grant_types"] = members["grant_types"] ?? ["authorization_code"]
    members["registration_access_token"] = .string(token)
    members["registration_client_uri"] = .string("\(server.origin)\(Path.registration)/\(entry.client.id)")
    if let secret = entry.client.authentication.secret {
      members["client_secret"] = .string(secret.reveal())
      members["client_secret_expires_at"] = 0
    }
    return .object(members)
  }
}

extension Sandbox.Client.Authentication {
  fileprivate var secret: Secret? {
    switch self {
    case .clientSecretBasic(let secret), .clientSecretPost(let secret), .clientSecretJWT(let secret): secret
    default: nil
    }
  }
}

extension HTTPRequest {
  fileprivate var bearerToken: String? {
    guard let parts = fields["Authorization"]?.split(separator: " "), parts.count == 2,
      parts[0].lowercasedASCII == "bearer"
    else { return nil }
    return String(parts[1])
  }
}

extension String {
  fileprivate var isLoopback: Bool { Origin(self)?.isLoopback == true }
}
