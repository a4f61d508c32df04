// SPDX-License-Identifier: Apache-2.0

/// A variable for use by one thread at a time.
///
/// Swift checks each change of a class's property for simultaneous access. A request has twenty such checks, which take a
/// twentieth of its processor time. This type omits the check. Use it for values whose methods do not access the same variable
/// again.
///
/// Not sendable, so the compiler verifies that its owner's thread alone uses it. `@safe` because the pointer is
/// valid from `init` to `deinit`.
@safe
struct ThreadOwned<Value>: ~Copyable {
  private let pointer: UnsafeMutablePointer<Value>

  init(_ value: Value) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: value)
  }

  deinit {
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }

  @inline(__always)
  var value: Value {
    _read { yield unsafe pointer.pointee }
    nonmutating _modify { yield unsafe &pointer.pointee }
  }
}
