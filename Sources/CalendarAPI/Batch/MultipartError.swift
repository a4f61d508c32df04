// SPDX-License-Identifier: Apache-2.0

/// Why the response to a batch, or a part of it, cannot be read.
enum MultipartError: String, Error {
  case noBoundary = "it is not multipart/mixed with a boundary"
  case truncated = "it ends before the last part does"
  case malformedFields = "a header field of a part is malformed"
  case fieldsTooLarge = "the header of a part is too large"
  case otherPart = "a part is not an HTTP message"
  case unknownPart = "a part has no Content-ID of a request"
  case repeatedPart = "two parts respond to one request"
  case missingPart = "no part responds to the request"
  case malformedMessage = "the HTTP message of the part is malformed"
  case truncatedMessage = "the HTTP message of the part is cut"
}

extension CalendarError {
  /// A response to a batch that is not one.
  init(malformed fault: MultipartError, status: Int) {
    self.init(
      .malformedAnswer,
      "The response to the batch cannot be read: \(fault.rawValue). \(Remedy.inspectServer.advice)",
      status: status)
  }

  /// The same error as the refusal of a batch as a whole.
  ///
  /// A reason that is about a resource would be mistaken for one about that of a request in the batch.
  var ofBatch: CalendarError {
    switch remedy {
    case .backOff, .pause, .signIn, .obtainAccess: self
    default:
      CalendarError(
        .batchRefused, "The server refused the batch as a whole. \(Remedy.inspectServer.advice)", status: status,
        serverMessage: serverMessage, details: details)
    }
  }

  /// A request to which no response came.
  static func noResponse(cause: (any Error)? = nil) -> CalendarError {
    CalendarError(
      .noResponse, "No response came to a request of the batch, which changed nothing. Send it again later.",
      cause: cause)
  }
}
