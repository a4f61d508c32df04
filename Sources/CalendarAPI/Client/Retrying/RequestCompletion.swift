// SPDX-License-Identifier: Apache-2.0

/// How a refusal may say that the work of a request was done before.
enum RequestCompletion<Response: Sendable>: Sendable {
  /// A refusal is a refusal.
  case none
  /// What is to be deleted does not exist: that is success.
  case gone(Response)
  /// What is to be created exists: if this client has created it, that is success, and `read` returns it.
  ///
  /// - Parameter always: Whether the identifier was made for this request, so that nothing else can have it.
  case exists(always: Bool, read: @Sendable () -> CalendarRequest<Response>)
}

extension RequestCompletion {
  /// The same for a response that is made of this one.
  func map<Other>(_ transform: @escaping @Sendable (Response) -> Other) -> RequestCompletion<Other> {
    switch self {
    case .none: .none
    case .gone(let response): .gone(transform(response))
    case .exists(let always, let read): .exists(always: always) { read().map(transform) }
    }
  }
}

extension CalendarError {
  /// Whether it says that a resource does not exist.
  var isAbsence: Bool {
    switch code {
    case .notFound, .deleted: true
    case .unexplained: status == 404 || status == 410
    default: false
    }
  }

  /// Whether it says that an identifier is taken.
  var isDuplicate: Bool { code == .duplicate || code == .unexplained && status == 409 }

  /// Whether it says that requests come too fast, so that the server has not carried out this one.
  var isRateLimit: Bool {
    code == .rateLimitExceeded || code == .userRateLimitExceeded || code == .unexplained && status == 429
  }
}
