// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
  /// Returns the bytes `count` times.
  ///
  /// A joined sequence of arrays takes a lock of the runtime for each of them, which threads then wait for.
  func repeated(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(self.count * count)
    for _ in 0..<count { bytes += self }
    return bytes
  }
}
