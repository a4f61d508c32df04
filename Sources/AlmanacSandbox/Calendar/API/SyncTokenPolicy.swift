// SPDX-License-Identifier: Apache-2.0

/// Which sync tokens are valid.
struct SyncTokenPolicy: Sendable {
  /// Tokens of another generation have expired.
  var generation = 1
  /// How long a token is valid; `nil` for ever.
  var lifetime: Duration?
}
