// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension GoogleCloudSandbox {
  /// Returns a transport that sends the requests for Google Cloud's servers to a ``Sandbox`` that is served elsewhere.
  ///
  /// Credentials go to Google's hosts only. With this transport they reach a sandbox on loopback, whose
  /// ``Sandbox/Configuration/googleCloud`` is this one; all other requests go where they are sent.
  ///
  /// - Parameters:
  ///   - url: The URL at which the sandbox is served.
  ///   - transport: The transport that sends the requests.
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
