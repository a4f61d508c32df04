// SPDX-License-Identifier: Apache-2.0

import Glibc
// The thread sanitizer sees pthread's locks, and not Synchronization's, which are a futex on Linux: it takes what they guard for
// unguarded. `./Scripts/test --sanitize thread` compiles a copy of the package in which this module stands in for Synchronization.
@_exported public import Synchronization

/// A lock with Synchronization's interface, over pthread's.
package struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  // Both live as long as the lock, at addresses that do not change; the value is reached under the lock alone.
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let value: UnsafeMutablePointer<Value>

  package init(_ initialValue: consuming sending Value) {
    unsafe lock = .allocate(capacity: 1)
    unsafe value = .allocate(capacity: 1)
    _ = unsafe pthread_mutex_init(lock, nil)
    unsafe value.initialize(to: initialValue)
  }

  deinit {
    _ = unsafe pthread_mutex_destroy(lock)
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
    unsafe lock.deallocate()
  }

  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    _ = unsafe pthread_mutex_lock(lock)
    defer { _ = unsafe pthread_mutex_unlock(lock) }
    return try unsafe body(&value.pointee)
  }
}
