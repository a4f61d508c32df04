// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TokenStore

extension TokenStorageConformance {
  private struct Refusal: Error {}

  static let accessChecks = [
    Check("access.exclusive", "Access is exclusive, so that no update is lost.") { subject in
      let occupancy = Occupancy()
      try await withThrowingTaskGroup { group in
        for number in 0..<16 {
          let storage = number.isMultiple(of: 2) ? subject.storage : subject.other
          group.addTask {
            for _ in 1...5 {
              try await storage.withExclusiveAccess(to: "account") { slot in
                let count = occupancy.enter()
                defer { occupancy.leave() }
                try require(count == 1, "\(count) tasks had access at the same time.")
                let total = Int(try await slot.read()?.accessToken.reveal() ?? "0") ?? 0
                for _ in 1...5 { await Task.yield() }
                try await slot.write(StoredToken(accessToken: Secret("\(total + 1)")))
              }
            }
          }
        }
        try await group.waitForAll()
      }
      let total = try await subject.storage.token(for: "account")?.accessToken.reveal()
      try require(total == "80", "Of 80 updates \(80 - (total.flatMap { Int($0) } ?? 0)) were lost.")
    },

    Check("access.other-accounts", "Access to one account does not delay access to another.") { subject in
      let token = StoredToken(accessToken: Secret("other"))
      try await subject.storage.withExclusiveAccess(to: "one") { _ in
        try await subject.storage.write(token, for: "two")
        try await subject.other.write(token, for: "three")
      }
      try require(try await subject.storage.token(for: "two") == token, "The other account's record is missing.")
    },

    Check(
      "access.plain-reads",
      "A plain read does not wait for the task with exclusive access, and sees what that task wrote."
    ) {
      subject in
      let token = StoredToken(accessToken: Secret("written"))
      try await subject.storage.withExclusiveAccess(to: "account") { slot in
        try require(try await subject.storage.token(for: "account") == nil, "A record exists already.")
        try await slot.write(token)
        try require(try await subject.storage.token(for: "account") == token, "The write is not visible.")
        try require(try await subject.other.token(for: "account") == token, "A second storage does not see it.")
        _ = try await subject.storage.accounts()
      }
    },

    Check(
      "access.errors", "If the body throws, access is released, the record is unchanged, and the error is rethrown."
    ) {
      subject in
      let token = StoredToken(accessToken: Secret("kept"))
      try await subject.storage.write(token, for: "account")
      do {
        try await subject.storage.withExclusiveAccess(to: "account") { _ in throw Refusal() }
        throw Broken(detail: "No error was thrown.")
      } catch is Refusal {}
      let read = try await subject.other.withExclusiveAccess(to: "account") { try await $0.read() }
      try require(read == token, "The record has changed.")
    },

    Check("access.prepare", "Preparing for a request changes no record, and the request's result can be written.") {
      subject in
      let (kept, next) = (StoredToken(accessToken: Secret("kept")), StoredToken(accessToken: Secret("next")))
      let intent = SpendingIntent(credentialDigest: [1], requestLimit: .seconds(30))
      try await subject.storage.write(kept, for: "account")
      do {
        try await subject.storage.withExclusiveAccess(to: "account") { slot in
          _ = try await slot.read()
          _ = try await slot.prepareToSpend(intent)
          throw Refusal()
        }
      } catch is Refusal {}
      try require(try await subject.other.token(for: "account") == kept, "The record has changed.")
      try await subject.storage.withExclusiveAccess(to: "account") { slot in
        _ = try await slot.read()
        _ = try await slot.prepareToSpend(intent)
        try await slot.write(next)
      }
      try require(try await subject.other.token(for: "account") == next, "The result is missing.")
    },

    Check("access.slot-lifetime", "A slot is invalid after its body has returned or thrown.") { subject in
      let token = StoredToken(accessToken: Secret("kept"))
      try await subject.storage.write(token, for: "account")
      let returned = try await subject.storage.withExclusiveAccess(to: "account") { $0 }
      let thrown = Mutex<(any TokenSlot)?>(nil)
      do {
        try await subject.storage.withExclusiveAccess(to: "account") { slot in
          thrown.withLock { $0 = slot }
          throw Refusal()
        }
      } catch is Refusal {}
      for (when, slot) in [("returned", returned), ("thrown", thrown.withLock { $0 })] {
        do {
          try await slot?.write(nil)
          throw Broken(detail: "It can still write after its body has \(when).")
        } catch is TokenStorageError {}
        do {
          _ = try await slot?.read()
          throw Broken(detail: "It can still read after its body has \(when).")
        } catch is TokenStorageError {}
      }
      try require(try await subject.storage.token(for: "account") == token, "It changed the record.")
    },
  ]
}

/// The number of tasks with access.
private final class Occupancy: Sendable {
  private let count = Mutex(0)

  func enter() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }

  func leave() {
    count.withLock { $0 -= 1 }
  }
}
