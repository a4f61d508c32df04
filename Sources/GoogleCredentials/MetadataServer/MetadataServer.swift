// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation
import Timekeeping

/// The metadata server of the machine, the cluster or the service that the program runs on
/// ([metadata server](https://cloud.google.com/compute/docs/metadata/overview)).
///
/// The server uses plain http on a link-local address: the traffic does not leave the host machine.
struct MetadataServer: Sendable {
  /// The server's host, with the port if it is not the default.
  let host: String
  private let isNamed: Bool
  private let environment: CredentialEnvironment

  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/invalidConfiguration`` if the variable does not
  ///   contain a host.
  init(_ environment: CredentialEnvironment) throws {
    let variable = ["GCE_METADATA_HOST", "GCE_METADATA_ROOT"].first { environment[$0] != nil }
    host = variable.flatMap { environment[$0] } ?? "metadata.google.internal"
    isNamed = variable != nil
    self.environment = environment
    guard let origin = Origin("http://" + host), origin.description == "http://" + host, origin.port <= 65_535 else {
      throw GoogleCredentialError(
        .invalidConfiguration,
        "\(variable ?? "The metadata server") is not a host, optionally with a port, such as metadata.google.internal.")
    }
  }

  /// Returns whether there is a metadata server.
  ///
  /// The first applicable rule decides:
  /// 1. If the environment names a host, the server counts as present.
  /// 2. If `NO_GCE_CHECK` is `true`, it counts as absent.
  /// 3. On Linux, if the firmware's name is Google's, it counts as present. No request is sent.
  /// 4. Otherwise, it counts as present if it responds to a request within `GCE_METADATA_TIMEOUT`, by default three seconds.
  func isPresent() async throws -> Bool {
    if isNamed { return true }
    if environment["NO_GCE_CHECK"]?.lowercased() == "true" { return false }
    #if os(Linux)
      if let name = try? await environment.files.content(of: "/sys/class/dmi/id/product_name"),
        String(decoding: name, as: UTF8.self).hasPrefix("Google")
      {
        return true
      }
    #endif
    let address = environment["GCE_METADATA_IP"] ?? "169.254.169.254"
    guard let url = URL(string: "http://\(address)/") else { return false }
    do {
      let limit = environment["GCE_METADATA_TIMEOUT"].flatMap(Int.init).map { max(1, min($0, 60)) } ?? 3
      let response = try await response(to: url, within: .seconds(limit))
      return response.status == 200 && Self.isGenuine(response)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      return false
    }
  }

  /// Returns the server's value at a path below `computeMetadata/v1`.
  ///
  /// - Throws: ``GoogleCredentialError``, `TransportError`, or `CancellationError`.
  func value(_ path: String, _ query: FormFields = [:]) async throws -> (content: [UInt8], response: HTTPResponse) {
    guard
      let url = URL(string: "http://\(host)/computeMetadata/v1/\(path)")?.appending(query, as: .query)
    else { throw failed("has no valid URL for \(path)") }
    let response = try await response(to: url, within: .seconds(10))
    // RFC 9110 § 15.5.5: no service account is attached.
    guard response.status != 404 else {
      throw failed("has no service account for this program. Attach one to the machine or service")
    }
    guard !response.isTransientFailure else {
      throw GoogleCredentialError(
        .serverUnavailable,
        "The metadata server \(host.printable) is temporarily unavailable (status \(response.status)). Try again later."
      )
    }
    guard response.isSuccess else { throw failed("responded with status \(response.status)") }
    guard Self.isGenuine(response) else {
      throw failed("did not identify itself as Google's. Check GCE_METADATA_HOST and the network")
    }
    return (response.body, response)
  }

  func failed(_ problem: String) -> GoogleCredentialError {
    GoogleCredentialError(.metadataServerFailed, "The metadata server \(host.printable) \(problem).")
  }

  /// Returns whether the response identifies itself as a metadata server's.
  ///
  /// A response of another server on the network does not.
  private static func isGenuine(_ response: HTTPResponse) -> Bool {
    response.fields["Metadata-Flavor"] == "Google" && response.redirectedOrigin == nil
  }

  private func response(to url: URL, within limit: Duration) async throws -> HTTPResponse {
    // The field proves that no browser was tricked into sending the request.
    let request = HTTPRequest(.get, url, fields: ["Metadata-Flavor": "Google"], timeout: limit)
    let transport = environment.transport
    return try await environment.clock.limiting(
      to: limit, orThrow: TransportError(.timedOut, "The metadata server did not respond in time.")
    ) {
      try await transport.send(request)
    }
  }
}
