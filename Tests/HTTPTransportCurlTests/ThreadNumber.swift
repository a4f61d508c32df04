// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A thread's number, to compare.
struct ThreadNumber: Hashable {
  private let number: UInt

  static var current: ThreadNumber {
    #if canImport(Glibc)
      ThreadNumber(number: pthread_self())
    #else
      ThreadNumber(number: unsafe UInt(bitPattern: pthread_self()))
    #endif
  }
}
