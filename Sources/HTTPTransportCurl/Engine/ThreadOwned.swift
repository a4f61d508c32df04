// SPDX-License-Identifier: Apache-2.0

/// A variable that one thread at a time uses.
///
/// A variable that is a property of a class is checked, each time it is changed, for another use at the same time: twenty such checks are a
/// twentieth of what the processor does for a request. Here nothing is checked. So it is for values whose methods lead to no other
/// use of the same variable.
///
/// Sendable although the compiler cannot see it: who has it says which thread uses it. `@safe` because the pointer is valid from
/// `init` to `deinit`.
@safe
struct ThreadOwned<Value>: ~Copyable, @unchecked Sendable {
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
