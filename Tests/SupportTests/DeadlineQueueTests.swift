// SPDX-License-Identifier: Apache-2.0

import Support
import TestSupport
import Testing

@Suite struct DeadlineQueueTests {
  @Test func agreesWithAPlainDictionaryUnderRandomChanges() {
    var numbers = SeededNumbers(seed: 11)
    var queue = DeadlineQueue<Int, Int>()
    var plain: [Int: Int] = [:]
    for step in 0..<20_000 {
      let key = Int.random(in: 0..<40, using: &numbers)
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0:
        queue[key] = nil
        plain[key] = nil
      case 1:
        let now = step / 2
        while let due = queue.removeEarliest(dueAt: now) {
          #expect(plain[due] == plain.values.min())
          #expect(plain[due].map { $0 <= now } == true)
          plain[due] = nil
        }
        #expect(plain.values.allSatisfy { $0 > now })
      default:
        let deadline = step / 2 + Int.random(in: 0..<100, using: &numbers)
        queue[key] = deadline
        plain[key] = deadline
      }
      #expect(queue[key] == plain[key])
      #expect(queue.count == plain.count)
      #expect(queue.earliest()?.deadline == plain.values.min())
    }
  }

  @Test func deadlineThatMovesAgainAndAgainTakesNoMemory() {
    var queue = DeadlineQueue<Int, Int>()
    for step in 0..<10_000 {
      queue[step % 8] = step + 1000
      queue[step % 8] = step
      queue[8 + step % 1000] = nil
    }
    #expect(queue.count == 8)
    #expect(queue.entryCount <= 32)
    for step in 0..<1000 { queue[step] = 1 }
    for step in 0..<1000 { queue[step] = nil }
    #expect(queue.count == 0)
    #expect(queue.entryCount <= 16)
    #expect(queue.earliest() == nil)
  }

  @Test(arguments: [[5, 5, 5], [5, 6, 7, 6], [5, 9, 5]])
  func deadlineThatDoesNotMoveEarlierAddsNoEntry(deadlines: [Int]) {
    var queue = DeadlineQueue<Int, Int>()
    for deadline in deadlines { queue[0] = deadline }
    #expect(queue.entryCount == 1)
    #expect(queue.earliest()?.deadline == deadlines.last)
  }
}
