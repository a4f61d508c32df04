// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import OAuthCore
import Synchronization
import TestSupport
import Testing
import Timekeeping
import TokenStore

/// One call makes one policy's attempts and waits one policy's time, whatever the order of the decorators is.
@Suite(.hangLimit) struct AttemptsTests {
  /// The outcome of a call's requests.
  enum Condition: String, Sendable, CaseIterable {
    case unavailable = "503"
    case tooMany = "429"
    case failed = "500"
    case later = "Retry-After: 30"
    case lost = "lost"
    case rejected = "401, then 503"
    case rejectedLater = "503, 401, 503"
    case nonce = "nonce, then 503"
    case noToken = "token request unreachable"
  }

  /// A server whose API fails and whose token endpoint works, or is not there.
  final class Server: Sendable {
    let transport: StubTransport

    init(_ condition: Condition) {
      let rejections = Mutex(0)
      transport = StubTransport { request in
        if request.url.path() == "/token" {
          if condition == .noToken { throw TransportError(.unreachable, "There is no network.") }
          return HTTPResponse(status: 200)
        }
        let number = rejections.withLock { count in
          count += 1
          return count
        }
        return switch condition {
        case .tooMany: HTTPResponse(status: 429)
        case .failed: HTTPResponse(status: 500)
        case .later: HTTPResponse(status: 503, fields: ["Retry-After": "30"])
        case .lost: throw TransportError(.connectionLost, "The response was lost.")
        case .rejected where number == 1: HTTPResponse(status: 401)
        case .rejectedLater where number == 2: HTTPResponse(status: 401)
        case .nonce where number == 1: HTTPResponse(status: 401, fields: ["DPoP-Nonce": "1"])
        default: HTTPResponse(status: 503)
        }
      }
    }

    func count(_ path: String) -> Int { transport.requests.count { $0.url.path().hasSuffix(path) } }
  }

  /// Requests a token whenever it is asked, by a transport that retries.
  private struct Tokens: TokenSource {
    let transport: any Transport

    func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken {
      _ = try await transport.send(HTTPRequest(.post, URL(literal: "https://oauth2.example/token")))
      return AccessToken(Secret("token"))
    }
  }

  /// Presents tokens with a proof, which a server takes once.
  private struct Proving: TokenPresentation {
    func authorize(_ request: inout HTTPRequest, with token: AccessToken) {
      request.fields["Authorization"] = "DPoP \(token.value.reveal())"
      request.fields["DPoP"] = "proof"
    }

    func shouldRetry(_ request: HTTPRequest, after response: HTTPResponse) -> Bool {
      response.status == 401 && response.fields["DPoP-Nonce"] != nil
    }
  }

  /// A decorator that makes a new request.
  private struct Rebuilding: Transport {
    let base: any Transport

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      try await base.send(HTTPRequest(request.method, request.url, fields: request.fields))
    }
  }

  /// The decorators from the outermost to the innermost: R retries, N makes a new request, A authorizes.
  static let orders: [String] = {
    var orders = [""]
    for _ in 0..<4 { orders += orders.flatMap { order in ["R", "N", "A"].map { order + $0 } } }
    return Set(orders).filter { order in order.count { $0 == "A" } == 1 }.sorted()
  }()

  private static func transport(_ order: String, to server: Server, _ clock: ManualClock, proving: Bool)
    -> any Transport
  {
    var http: any Transport = server.transport
    for decorator in order.reversed() {
      switch decorator {
      case "R": http = http.retrying(clock: clock)
      case "N": http = Rebuilding(base: http)
      default:
        let tokens = Tokens(transport: server.transport.retrying(clock: clock))
        let origins: Set<Origin> = [.googleAPIs]
        http =
          proving
          ? http.authorized(by: tokens, for: origins, presentation: Proving())
          : http.authorized(by: tokens, for: origins)
      }
    }
    return http
  }

  private func call(
    _ order: String, _ condition: Condition, byClient: Bool
  ) async -> (requests: Int, tokenRequests: Int, waited: Duration) {
    let (server, clock) = (Server(condition), ManualClock(skipsWaits: true))
    let start = clock.now
    let http = Self.transport(order, to: server, clock, proving: condition == .nonce)
    if byClient {
      func client(_ http: some Transport) -> CalendarClient { CalendarClient(transport: http, clock: clock) }
      _ = try? await client(http).colors.get()
    } else {
      _ = try? await http.send(HTTPRequest(.get, URL(literal: "https://www.googleapis.com/calendar/v3/colors")))
    }
    return (server.count("/colors"), server.count("/token"), clock.now - start)
  }

  /// The requests for the API that a call makes.
  private static func expected(_ order: String, _ condition: Condition, byClient: Bool) -> Int {
    let above = byClient || order.prefix { $0 != "A" }.contains("R")
    let retries = above || order.contains("R")
    return switch condition {
    case .noToken: 0
    case .nonce: above ? 5 : 2  // below the authorization, a request has a proof that is sent once
    case .rejected: retries ? 5 : 2  // the repeat after a 401 is no attempt
    case .rejectedLater: retries ? 5 : 1
    default: retries ? 4 : 1
    }
  }

  @Test(arguments: Condition.allCases, [false, true])
  func everyOrderMakesOnePolicysAttempts(_ condition: Condition, byClient: Bool) async {
    #expect(Self.orders.count == 49)
    for order in Self.orders {
      let (requests, tokenRequests, waited) = await call(order, condition, byClient: byClient)
      let name = "\(byClient ? "CalendarClient over " : "")\(order): \(condition.rawValue)"
      #expect(requests == Self.expected(order, condition, byClient: byClient), "\(name)")
      // A token request has a budget of its own, which is spent once.
      if condition == .noToken { #expect(tokenRequests == 4, "\(name)") }
      switch condition {
      case .later: #expect(waited == (requests > 1 ? .seconds(90) : .zero), "\(name): \(waited)")
      default: #expect(waited <= .milliseconds(3500), "\(name): \(waited)")
      }
    }
  }

  /// The repeat after a 401 is not an attempt, and it does not begin the time limit again.
  @Test(arguments: ["AR", "ANR", "RA", "RNAR"]) func everyOrderKeepsOneTimeLimit(_ order: String) async throws {
    let statuses = Mutex([503, 401, 503, 503])
    let clock = ManualClock(skipsWaits: true)
    let server = StubTransport { _ in
      HTTPResponse(status: statuses.withLock { $0.removeFirst() }, fields: ["Retry-After": "30"])
    }
    var http: any Transport = server
    for decorator in order.reversed() {
      switch decorator {
      case "R": http = http.retrying(clock: clock)
      case "N": http = Rebuilding(base: http)
      default: http = http.authorized(by: Fixed(), for: [.googleAPIs])
      }
    }
    let url = URL(literal: "https://www.googleapis.com/calendar/v3/colors")
    _ = try await http.send(HTTPRequest(.get, url, timeout: .seconds(50)))
    #expect(server.requests.count == 3)
  }

  private struct Fixed: TokenSource {
    func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken {
      AccessToken(Secret(rejected == nil ? "old" : "new"))
    }
  }
}
