// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE

/// What the sandbox keeps of a token, code or consent identifier: its digest, from which it cannot be had back.
struct SecretDigest: Hashable, Sendable {
  private let bytes: [UInt8]

  init(of secret: String) { bytes = MessageDigest.sha256(secret) }
}
