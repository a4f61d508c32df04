// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import HTTPTransportURLSession
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A transport with one fault.
final class BrokenTransport: StreamingTransport {
  enum Fault: String, CaseIterable {
    case losesFields, sendsTwice, keepsCookies, ignoresBodyLimit, ignoresHeaderLimit, ignoresTimeLimit, exceedsTimeLimit
    case ignoresCancellation, callsCancellationATimeout, hidesTruncation, followsNoRedirect, takesCredentialsAlong
    case callsEverythingUnreachable, throwsItsOwnErrors, reusesNoConnection, mixesUpResponses, collectsBodies
    case leavesOutChunks, sendsEmptyBodies

    /// The check that finds it.
    var check: String {
      switch self {
      case .losesFields: "requests.method-get"
      case .sendsTwice: "requests.post-without-body"
      case .keepsCookies: "requests.no-cookies"
      case .ignoresBodyLimit: "limits.body"
      case .ignoresHeaderLimit: "limits.header-bytes"
      case .ignoresTimeLimit, .exceedsTimeLimit: "time.hang"
      case .ignoresCancellation, .callsCancellationATimeout: "cancellation.others-go-on"
      case .hidesTruncation: "faults.truncated-length"
      case .followsNoRedirect: "redirects.status-302"
      case .takesCredentialsAlong: "redirects.credentials"
      case .callsEverythingUnreachable: "faults.closed"
      case .throwsItsOwnErrors: "faults.refused"
      case .reusesNoConnection: "connections.reuse"
      case .mixesUpResponses: "connections.many-at-once"
      case .collectsBodies: "streaming.head-first"
      case .leavesOutChunks: "streaming.whole-body"
      case .sendsEmptyBodies: "streaming.request-body"
      }
    }

    /// Whether the check is over only because its patience is.
    var hangs: Bool { self == .ignoresTimeLimit || self == .ignoresCancellation || self == .collectsBodies }
  }

  struct OwnError: Error {}

  private let fault: Fault
  private let limits: TransportLimits
  private let transport: URLSessionTransport
  private let cookie = Mutex<String?>(nil)
  private let lastResponse = Mutex<HTTPResponse?>(nil)

  init(_ fault: Fault, limits: TransportLimits) {
    var limits = limits
    switch fault {
    case .ignoresBodyLimit: limits.bodyBytes = .max
    case .ignoresHeaderLimit: limits.headerBytes = .max
    case .ignoresTimeLimit: limits.timeout = .seconds(600)
    case .exceedsTimeLimit: limits.timeout += .milliseconds(500)
    case .followsNoRedirect, .takesCredentialsAlong: limits.redirects = 0
    default: break
    }
    self.fault = fault
    self.limits = limits
    transport = URLSessionTransport(limits: limits)
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    do {
      return try await broken(request)
    } catch let error as TransportError {
      switch fault {
      case .callsEverythingUnreachable: throw TransportError(.unreachable, error.message)
      case .throwsItsOwnErrors: throw OwnError()
      case .hidesTruncation where error.code == .truncated: return HTTPResponse(status: 200)
      default: throw error
      }
    } catch is CancellationError where fault == .callsCancellationATimeout {
      throw TransportError(.timedOut, "The task was cancelled.")
    }
  }

  private func broken(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    switch fault {
    case .losesFields:
      request.fields = [:]
    case .sendsTwice:
      _ = try await transport.send(request)
    case .keepsCookies:
      request.fields["Cookie"] = cookie.withLock { $0 }
    case .ignoresCancellation:
      return try await Task { [transport, request] in try await transport.send(request) }.value
    case .reusesNoConnection:
      return try await URLSessionTransport(limits: limits).send(request)
    default: break
    }
    var response = try await transport.send(request)
    if fault == .takesCredentialsAlong, let location = response.fields["Location"], let url = URL(string: location) {
      request.url = url
      response = try await broken(request)
    }
    cookie.withLock { $0 = response.fields["Set-Cookie"] }
    guard fault == .mixesUpResponses else { return response }
    return lastResponse.withLock { last in
      defer { last = response }
      return last ?? response
    }
  }

  func stream(_ request: HTTPRequest, body: BodyStream?) async throws -> StreamedResponse {
    let body = fault == .sendsEmptyBodies ? BodyStream([]) : body
    var response = try await transport.stream(request, body: body)
    switch fault {
    case .collectsBodies: response.body = BodyStream(try await response.body.bytes(upTo: .max))
    case .leavesOutChunks: response.body = BodyStream(EverySecondChunk(body: response.body))
    default: break
    }
    return response
  }
}

private struct EverySecondChunk: AsyncSequence, Sendable {
  let body: BodyStream

  func makeAsyncIterator() -> Iterator { Iterator(chunks: body.makeAsyncIterator()) }

  struct Iterator: AsyncIteratorProtocol {
    var chunks: BodyStream.Iterator

    mutating func next() async throws -> [UInt8]? {
      let chunk = try await chunks.next()
      _ = try await chunks.next()
      return chunk
    }
  }
}
