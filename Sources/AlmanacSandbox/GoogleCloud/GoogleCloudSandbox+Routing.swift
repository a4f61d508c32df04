// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension GoogleCloudSandbox {
  /// The servers, by their hosts.
  private enum Server {
    case token, exchange, credentials, metadata
    case service(String)
  }

  private func server(of url: URL) -> Server? {
    guard let origin = Origin(url) else { return nil }
    switch origin.description {
    case "https://oauth2.googleapis.com": return .token
    case "https://sts.googleapis.com": return .exchange
    case "https://iamcredentials.googleapis.com": return .credentials
    case "http://metadata.google.internal", "http://169.254.169.254":
      return configuration.attachedAccount == nil ? nil : .metadata
    case let service: return configuration.services.contains(service) ? .service(service) : nil
    }
  }

  func serves(_ url: URL) -> Bool { server(of: url) != nil }

  func route(_ request: HTTPRequest, sentTo url: URL) async -> HTTPResponse {
    let path = request.url.path(percentEncoded: true)
    switch server(of: request.url) {
    case .token where path == "/token":
      return await posted(request) { await tokenResponse(to: request, sentTo: url) }
    case .exchange where path == "/v1/token":
      return await posted(request) { exchangeResponse(to: request) }
    case .credentials:
      return await posted(request) { await credentialsResponse(to: request, path: path) }
    case .metadata:
      return await metadataResponse(to: request, path: path)
    case .service(let service):
      return await serviceResponse(to: request, service: service)
    default:
      return .json(["error": "not_found"], status: 404)
    }
  }

  private func posted(_ request: HTTPRequest, _ body: () async -> HTTPResponse) async -> HTTPResponse {
    guard request.method == .post else { return .methodNotAllowed([.post], as: .oauth) }
    return await body()
  }
}
