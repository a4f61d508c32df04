// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import Synchronization
import Testing
import TokenStore

/// A resource with a sandbox as its authorization server.
///
/// The sandbox registers clients, and a test can delete them.
final class RegisteringServer: Sendable {
  static let resource = "https://api.invalid/mcp"
  private static let issuer = "https://sandbox.invalid"

  private let registrations = Mutex<[JSONValue]>([])
  private let base = Mutex<(any Transport)?>(nil)
  /// The client authentication methods that the server lists, or `nil` for the sandbox's own.
  private let methods: [String]?
  /// The scopes that the resource names.
  private let scopes: [String]
  private let changes = Mutex<[String: JSONValue]>([:])
  private let sent = Mutex<[String]>([])
  private let notice = Mutex<@Sendable (_ path: String) -> Void>({ _ in })

  init(methods: [String]? = nil, scopes: [String] = ["email"]) { (self.methods, self.scopes) = (methods, scopes) }

  /// Changes a member of the server's metadata.
  func change(_ member: String, to value: JSONValue) { changes.withLock { $0[member] = value } }

  /// Sets a function that is called with the path of each request.
  func onRequest(_ body: @escaping @Sendable (_ path: String) -> Void) { notice.withLock { $0 = body } }

  /// The methods and URLs of all requests.
  var requests: [String] { sent.withLock { $0 } }

  /// Creates the program of a user.
  func harness(storages: [StorageName: any TokenStorage] = [:]) -> CommandHarness {
    var configuration = CommandHarness.configuration
    configuration.registrationAccess = .open
    configuration.resources = [Self.resource]
    return CommandHarness(
      configuration: configuration, transport: { self.transport(over: $0) }, storages: storages)
  }

  /// The identifiers of the registered clients, in order.
  var clients: [String] { registrations.withLock { $0.compactMap { $0["client_id"]?.string } } }

  /// The authentication methods of the registered clients.
  var authentications: [String] {
    registrations.withLock { $0.compactMap { $0["token_endpoint_auth_method"]?.string } }
  }

  /// Deletes the client that was registered last.
  func forget() async throws {
    let last = try #require(registrations.withLock { $0.last })
    let url = try #require(last["registration_client_uri"]?.string.flatMap { URL(string: $0) })
    let token = try #require(last["registration_access_token"]?.string)
    let transport = try #require(base.withLock { $0 })
    let response = try await transport.send(HTTPRequest(.delete, url, fields: ["Authorization": "Bearer \(token)"]))
    guard response.status == 204 else { throw URLError(.badServerResponse) }
  }

  private func transport(over base: any Transport) -> any Transport {
    self.base.withLock { $0 = base }
    return StubTransport { [self] request in
      let path = request.url.path(percentEncoded: true)
      sent.withLock { $0.append("\(request.method) \(request.url.absoluteString)") }
      notice.withLock(\.self)(path)
      if request.url.host() == "api.invalid" {
        guard path.hasPrefix("/.well-known/") else {
          let isSignedIn = request.fields["Authorization"] != nil
          return isSignedIn
            ? HTTPResponse(status: 200) : HTTPResponse(status: 401, fields: ["WWW-Authenticate": "Bearer"])
        }
        let metadata = JSONValue.object([
          "resource": .string(Self.resource), "authorization_servers": [.string(Self.issuer)],
          "scopes_supported": .array(scopes.map { .string($0) }),
        ])
        return HTTPResponse(status: 200, body: metadata.json())
      }
      var response = try await base.send(request)
      if path == "/register", let json = try? JSONValue(json: response.body) {
        registrations.withLock { $0.append(json) }
      }
      if path.hasPrefix("/.well-known/"), var members = try? JSONValue(json: response.body).object {
        if let methods { members["token_endpoint_auth_methods_supported"] = .array(methods.map { .string($0) }) }
        members.merge(changes.withLock { $0 }) { $1 }
        response.body = JSONValue.object(members).json()
      }
      return response
    }
  }
}
