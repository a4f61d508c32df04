// SPDX-License-Identifier: Apache-2.0

import BenchmarkHarness
import CalendarAPI
import Foundation
import HTTPTransport
import OAuthCore
import Support
import Synchronization
import Timekeeping
import TokenStore

/// The growth of the library's collections and queues.
enum GrowthRows {
  static var rows: [Row] { [keys, waiters, authorizations] }
}

// MARK: JSON

extension GrowthRows {
  /// A row with a key of 4,096 escapes, in a map, which reads it once, and in `Event`, which compares it with all fields.
  private static var keys: Row {
    let key = "\"" + String(repeating: "\\u0061", count: 4096) + "\":\"\""
    let event = Array("{\(key)}".utf8)
    let map = Array("{\"private\":{\(key)}}".utf8)
    return Row(
      Row.growth, "JSON: a key with escapes",
      ours: Contender("Event", items: 4096) { (try? Event(json: event))?.additionalFields.count ?? 0 },
      baselines: [Contender("a map", items: 4096) { (try? Event.ExtendedProperties(json: map))?.private?.count ?? 0 }])
  }
}

// MARK: Waiting and remembering

extension GrowthRows {
  /// A row in which every second waiter is cancelled, in reverse order, and the others acquire the lock.
  private static var waiters: Row {
    let total = 16_384
    return .growth("KeyedLock: wait, give up or be served", 16...total, total: total) { size in
      {
        var served = 0
        for _ in 0..<(total / size) {
          var line = WaitingLine<Int>()
          for id in 0..<size { line.append(id, id: id) }
          for id in stride(from: size - 1, to: 0, by: -2) { _ = line.remove(id) }
          while line.removeFirst() != nil { served &+= 1 }
        }
        return served
      }
    }
  }

  /// A row of authorizations that are completed while others have not expired.
  private static var authorizations: Row {
    let total = 8192
    let states = (0..<total).map { "state-\($0)" }
    return .growth("OAuthClient: authorizations completed once", 16...total, total: total) { size in
      let now = Timestamp(secondsSince1970: 0)
      return {
        var count = 0
        for _ in 0..<(total / size) {
          let completed = CompletedSignIns()
          for number in 0..<size {
            let deadline = now + .seconds(600 + (number &* 7919) % 600)
            if completed.insert(states[number], until: deadline, now: now) { count &+= 1 }
          }
        }
        return count
      }
    }
  }
}
