// SPDX-License-Identifier: Apache-2.0

/// Secret bytes, overwritten when the last reference is gone.
///
/// The pointer may be sent to another thread, and the class is `@safe`: the memory is written once in `init`, only read until
/// `deinit`, and lent for no longer than a call.
@safe
package final class SecretBytes: Sendable {
  nonisolated(unsafe) private let storage: UnsafeMutableRawBufferPointer

  package init(_ bytes: [UInt8]) {
    unsafe storage = .allocate(byteCount: bytes.count, alignment: 1)
    unsafe storage.copyBytes(from: bytes)
  }

  deinit {
    unsafe Cryptography.wipe(storage)
    unsafe storage.deallocate()
  }

  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe body(UnsafeRawBufferPointer(storage))
  }
}

extension [UInt8] {
  /// Overwrites the bytes, if there is no other reference, and removes them.
  package mutating func wipe() {
    // Safe: writes within the array's bounds.
    unsafe withUnsafeMutableBytes { unsafe Cryptography.wipe($0) }
    self = []
  }
}
