// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Values that other modules keep with a client, such as the keys of its server: one of each type, shared by all copies of the client.
package final class ClientCompanions: Sendable {
  private let values = Mutex<[ObjectIdentifier: any Sendable]>([:])

  /// Returns the value of a type, made at the first call.
  package func value<Value: Sendable>(orMake make: @Sendable () -> Value) -> Value {
    values.withLock { values in
      if let value = values[ObjectIdentifier(Value.self)] as? Value { return value }
      let value = make()
      values[ObjectIdentifier(Value.self)] = value
      return value
    }
  }
}
