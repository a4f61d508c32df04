import HTTPTransport
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Sandbox {
  func route(_ request: HTTPRequest) async -> HTTPResponse {
    let path = request.url.path(percentEncoded: true)
    let issuer = issuer(for: request.url)
    if path.hasPrefix(Self.calendarPath) {
      return calendarAnswer(to: request, path: path.dropFirst(Self.calendarPath.count))
    }
    switch path {
    case "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server":
      count(.metadata)
      return answering(request, [.get]) { .json(metadata(issuer: issuer)) }
    case Path.keys:
      count(.keys)
      return await keySet(answering: request)
    case Path.authorization:
      count(.authorization)
      return answering(request, [.get]) { authorizationPage(for: request, issuer: issuer) }
    case Path.consent:
      count(.consent)
      return answering(request, [.post]) { consentAnswer(to: request, issuer: issuer) }
    case Path.token:
      count(.token)
      return await tokenAnswer(to: request, issuer: issuer)
    case Path.revocation:
      count(.revocation)
      return answering(request, [.post]) { revocationAnswer(to: request) }
    case Path.userinfo:
      count(.userinfo)
      return answering(request, [.get, .post]) { userinfo(answering: request, issuer: issuer) }
    case Path.picture:
      count(.other)
      return answering(request, [.get]) { picture() }
    case "/":
      count(.other)
      return answering(request, [.get]) { .page(WelcomePage(issuer: issuer, person: configuration.person).html) }
    default:
      count(.other)
      return .page(MessagePage(title: "Not found", message: "There is nothing at this address.").html, status: 404)
    }
  }

  /// The paths of the endpoints.
  enum Path {
    static let authorization = "/authorize"
    static let consent = "/authorize/consent"
    static let token = "/token"
    static let revocation = "/revoke"
    static let userinfo = "/userinfo"
    static let keys = "/jwks.json"
    static let picture = "/picture.svg"
  }

  private static let calendarPath = "/calendar/v3/"

  func count(_ endpoint: Endpoint) { state.withLock { $0.requestCounts[endpoint, default: 0] += 1 } }

  /// RFC 8414 § 2: the issuer has neither query nor fragment; here it has no path either.
  func issuer(for url: URL) -> String { configuration.issuer ?? Origin(url)?.description ?? "" }

  func answering(_ request: HTTPRequest, _ methods: [HTTPMethod], _ body: () -> HTTPResponse) -> HTTPResponse {
    guard methods.contains(request.method) else { return .methodNotAllowed(methods) }
    return body()
  }
}
