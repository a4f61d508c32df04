// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
  init(_ bytes: Span<UInt8>) {
    self.init()
    append(bytes)
  }

  mutating func append(_ bytes: Span<UInt8>) {
    // Safe: the buffer is read within the call.
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
