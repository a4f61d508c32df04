// SPDX-License-Identifier: Apache-2.0

/// Why a request is refused before any handler sees it.
struct RequestFault: Error {
  let status: Int
  /// What is wrong with it; never holds a byte of the request.
  let reason: String

  init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }
}
