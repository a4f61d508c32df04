// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import JSONCoding
public import PlatformFoundation

extension GoogleCloudSandbox {
  /// A Google Cloud server, identified by its origin.
  private enum Server {
    case token, exchange, credentials, keyService, metadata
    case service(String)
    case instance(AWSInstance)
  }

  private func server(of url: URL) -> Server? {
    guard let origin = Origin(url) else { return nil }
    switch origin.description {
    case "https://oauth2.googleapis.com": return .token
    case "https://sts.googleapis.com", "https://sts.mtls.googleapis.com": return .exchange
    case "https://iamcredentials.googleapis.com": return .credentials
    case "https://cloudkms.googleapis.com": return .keyService
    case "http://metadata.google.internal", "http://169.254.169.254":
      if configuration.attachedAccount != nil { return .metadata }
      return origin.host == "169.254.169.254"
        ? configuration.identityProviders.lazy.compactMap(\.instance).first.map { .instance($0) } : nil
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
      return await posted(request) { await exchangeResponse(to: request) }
    case .exchange where path == "/v1/oauthtoken":
      return await posted(request) { await workforceResponse(to: request) }
    case .credentials:
      return await posted(request) { await credentialsResponse(to: request, path: path) }
    case .keyService:
      return await posted(request) { keyServiceResponse(to: request, path: path) }
    case .metadata:
      return await metadataResponse(to: request, path: path)
    case .service(let service):
      return await serviceResponse(to: request, service: service)
    case .instance(let instance):
      return instanceResponse(to: request, path: path, of: instance)
    default:
      return .json(["error": "not_found"], status: 404)
    }
  }

  private func posted(_ request: HTTPRequest, _ body: () async -> HTTPResponse) async -> HTTPResponse {
    guard request.method == .post else { return .methodNotAllowed([.post], as: .oauth) }
    return await body()
  }
}

extension GoogleCloudSandbox {
  /// Returns a transport that forwards requests for Google Cloud's servers to a ``Sandbox`` at another URL.
  ///
  /// Credentials send requests to Google's hosts only. This transport forwards these requests to a sandbox on loopback whose
  /// ``Sandbox/googleCloud`` is this one. It does not change other requests.
  ///
  /// - Parameters:
  ///   - url: The URL of the sandbox.
  ///   - transport: The transport for the requests.
  public func forwarding(to url: URL, through transport: some Transport) -> some Transport {
    ForwardingTransport(cloud: self, target: url, base: transport)
  }
}

private struct ForwardingTransport<Base: Transport>: Transport {
  let cloud: GoogleCloudSandbox
  let target: URL
  let base: Base

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard cloud.serves(request.url), let origin = Origin(request.url), let target = Origin(target) else {
      return try await base.send(request)
    }
    let host = origin.scheme == "http" ? "" : "/\(origin.host)"
    let path = request.url.path(percentEncoded: true)
    let query = request.url.query(percentEncoded: true).map { "?" + $0 } ?? ""
    guard let url = URL(string: "\(target)\(host)\(path)\(query)") else {
      throw TransportError(.invalidRequest, "The URL of the sandbox cannot be joined with the path of the request.")
    }
    var request = request
    request.url = url
    return try await base.send(request)
  }
}
