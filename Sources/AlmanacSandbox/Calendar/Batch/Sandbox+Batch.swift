// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Sandbox {
  /// Carries out the calls of a batch, one after the other.
  func batchResponse(to request: HTTPRequest) async -> HTTPResponse {
    count(.batch)
    guard let parts = BatchReader(request)?.parts(), !parts.isEmpty else {
      return APIFault(
        status: 400, reason: "badRequest", message: "Failed to parse batch request, error: no parts, or no end."
      ).response
    }
    guard parts.count <= BatchReader.maximumCount else {
      return APIFault(
        status: 400, reason: "badRequest",
        message: "The batch has \(parts.count) calls, and the limit is \(BatchReader.maximumCount)."
      ).response
    }
    var writer = BatchWriter()
    var isAppended = false
    for part in parts {
      guard let inner = part.request else {
        writer.append(APIFault.parseError.response, to: part.contentID)
        continue
      }
      let path = inner.url.path(percentEncoded: true)
      guard path.hasPrefix(Self.calendarPath) else {
        writer.append(APIFault.notFound.response, to: part.contentID)
        continue
      }
      let response = await calendarResponse(
        to: inner, path: path.dropFirst(Self.calendarPath.count), isInBatch: true, isAppended: &isAppended)
      writer.append(response, to: part.contentID)
    }
    // Once for all parts.
    do throws(APIFault) { if isAppended { try await journal?.synchronize() } } catch { return error.response }
    return writer.response()
  }
}
