// SPDX-License-Identifier: Apache-2.0

/// A variable that one thread at a time uses.
///
/// Each change of a class's property is checked for simultaneous access. Twenty such checks are a twentieth of the processor
/// time of a request. This type does not check. Use it for values whose methods lead to no other use of the same variable.
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
