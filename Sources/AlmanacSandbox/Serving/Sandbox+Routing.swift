// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Sandbox {
  func route(_ request: HTTPRequest) async -> HTTPResponse {
    let path = request.url.path(percentEncoded: true)
    if path.hasPrefix(Self.calendarPath) || path == Self.calendarPath.dropLast() {
      return await calendarResponse(to: request, path: path.dropFirst(Self.calendarPath.count))
    }
    if path == Path.batch {
      guard request.method == .post else { return .methodNotAllowed([.post], as: .oauth) }
      return await batchResponse(to: request)
    }
    if configuration.isControllable, path.hasPrefix(Path.control) {
      return controlResponse(to: request, path: path.dropFirst(Path.control.count))
    }
    if path == Path.discovery {
      count(.metadata)
      return await responding(to: request, [.get], as: .oauth) {
        .json(DiscoveryDocument.json(at: self.issuer(for: request.url)))
      }
    }
    if let response = await cloudResponse(to: request, path: path) { return response }
    let server = authorizationServer(for: request.url)
    let issuer = server.issuer
    if path.hasPrefix(Path.registration + "/") {
      count(.registration)
      return await responding(to: request, [.get, .put, .delete], as: .oauth) {
        registrationManagementResponse(to: request, id: String(path.dropFirst(Path.registration.count + 1)), at: server)
      }
    }
    if path.hasPrefix(Path.resourceMetadata),
      let response = resourceMetadata(path: path.dropFirst(Path.resourceMetadata.count), issuer: issuer)
    {
      count(.metadata)
      return await responding(to: request, [.get], as: .oauth) { response }
    }
    switch path {
    case "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server":
      count(.metadata)
      return await responding(to: request, [.get], as: .oauth) { .json(metadata(issuer: issuer)) }
    case Path.keys:
      count(.keys)
      return await responding(to: request, [.get], as: .oauth) { await keySet() }
    case server.paths.authorization:
      count(.authorization)
      return await responding(to: request, [.get], as: .page) { authorizationPage(for: request, at: server) }
    case server.paths.consent:
      count(.consent)
      return await responding(to: request, [.post], as: .page) { consentResponse(to: request, at: server) }
    case server.paths.token:
      count(.token)
      return await responding(to: request, [.post], as: .oauth) { await tokenResponse(to: request, at: server) }
    case Path.introspection:
      count(.introspection)
      return await responding(to: request, [.post], as: .oauth) { introspectionResponse(to: request, at: server) }
    case Path.registration:
      count(.registration)
      return await responding(to: request, [.post], as: .oauth) { registrationResponse(to: request, at: server) }
    case Path.pushedAuthorization:
      count(.pushedAuthorization)
      return await responding(to: request, [.post], as: .oauth) { pushedResponse(to: request, at: server) }
    case Path.deviceAuthorization:
      count(.deviceAuthorization)
      return await responding(to: request, [.post], as: .oauth) { deviceAuthorizationResponse(to: request, at: server) }
    case Path.device:
      count(.device)
      return await responding(to: request, [.get, .post], as: .page) { devicePage(for: request, at: server) }
    case Path.backchannel:
      count(.backchannelAuthentication)
      return await responding(to: request, [.post], as: .oauth) { await backchannelResponse(to: request, at: server) }
    case Path.revocation:
      count(.revocation)
      return await responding(to: request, [.post], as: .oauth) { revocationResponse(to: request, at: server) }
    case Path.userinfo:
      count(.userinfo)
      return await responding(to: request, [.get, .post], as: .oauth) {
        await userinfo(for: request, issuer: issuer)
      }
    case Path.logout:
      count(.logout)
      return await responding(to: request, [.get, .post], as: .page) {
        await logoutResponse(to: request, at: server)
      }
    case Path.member:
      count(.member)
      return await responding(to: request, [.get], as: .meetup) { member(for: request) }
    case Path.graphQL:
      count(.member)
      return await responding(to: request, [.post], as: .meetup) { graphQLResponse(to: request) }
    case Path.picture:
      count(.other)
      return await responding(to: request, [.get], as: .page) { picture() }
    case "/":
      count(.other)
      return await responding(to: request, [.get], as: .page) {
        .page(WelcomePage(issuer: issuer, user: configuration.user).html)
      }
    default:
      count(.other)
      return .page(MessagePage(title: "Not found", message: "There is nothing at this URL.").html, status: 404)
    }
  }

  /// The paths that are the same for everyone.
  enum Path {
    static let authorization = "/authorize"
    static let token = "/token"
    static let resourceMetadata = "/.well-known/oauth-protected-resource"
    static let introspection = "/introspect"
    static let registration = "/register"
    static let pushedAuthorization = "/par"
    static let deviceAuthorization = "/device_authorization"
    static let device = "/device"
    static let backchannel = "/backchannel_authentication"
    static let revocation = "/revoke"
    static let userinfo = "/userinfo"
    static let logout = "/logout"
    static let keys = "/jwks.json"
    static let discovery = "/discovery/v1/apis/calendar/v3/rest"
    static let batch = "/batch/calendar/v3"
    static let control = "/sandbox/"
    static let picture = "/picture.png"
    /// Below this is the Meetup-like provider.
    static let meetup = "/meetup"
    static let member = meetup + "/2/member/self"
    static let graphQL = meetup + "/gql-ext"
  }

  static let calendarPath = "/calendar/v3/"

  func count(_ endpoint: Endpoint) { state.withLock { $0.requestCounts[endpoint, default: 0] += 1 } }

  /// RFC 8414 § 2: the issuer has neither query nor fragment; here it has no path either, but for the Meetup-like one.
  func issuer(for url: URL) -> String { configuration.issuer ?? Origin(url)?.description ?? "" }

  private func responding(
    to request: HTTPRequest, _ methods: [HTTPMethod], as form: ErrorForm, _ body: () async -> HTTPResponse
  ) async -> HTTPResponse {
    guard methods.contains(request.method) else { return .methodNotAllowed(methods, as: form) }
    return await body()
  }
}
