// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

extension CalendarServer {
  /// Performs the calls of a batch sequentially.
  func respondToBatch(_ request: HTTPRequest) async -> HTTPResponse {
    log.count(.batch)
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
    var isChange = false
    for part in parts {
      guard let inner = part.request else {
        writer.append(APIFault.parseError.response, to: part.contentID)
        continue
      }
      let path = inner.url.path(percentEncoded: true)
      guard path.hasPrefix(Path.calendar) else {
        writer.append(APIFault.notFound.response, to: part.contentID)
        continue
      }
      let reply = await reply(to: inner, path: path.dropFirst(Path.calendar.count), isInBatch: true)
      isChange = isChange || reply.isChange
      writer.append(reply.response, to: part.contentID)
    }
    // One write to disk for all parts.
    return await durable(writer.response(), isChange: isChange)
  }
}
