// SPDX-License-Identifier: Apache-2.0

import Support
import TestSupport
import Testing

@Suite struct WaitingLineTests {
  @Test func agreesWithAPlainArrayUnderRandomChanges() {
    var numbers = SeededNumbers(seed: 5)
    var line = WaitingLine<Int>()
    var plain: [Int] = []
    for id in 0..<10_000 {
      switch Int.random(in: 0..<5, using: &numbers) {
      case 0..<2:
        line.append(id, id: id)
        plain.append(id)
      case 2: #expect(line.removeFirst() == (plain.isEmpty ? nil : plain.removeFirst()))
      default:
        let leaving = Int.random(in: 0...id, using: &numbers)
        #expect(line.remove(leaving) == plain.firstIndex(of: leaving).map { plain.remove(at: $0) })
      }
      #expect(line.count == plain.count)
      #expect(line.placeCount <= 2 * line.count + 17)
    }
  }

  @Test func placesAreGivenUpWhenTheyAreMoreThanTheLimit() {
    var line = WaitingLine<Int>()
    for id in 0..<20 { line.append(id, id: id) }
    // One stays, so that twice one and 16 places may be kept.
    let counts = (1..<20).map { id in
      _ = line.remove(id)
      return line.placeCount
    }
    #expect(counts == Array(repeating: 20, count: 18) + [1])
    line.append(20, id: 20)
    #expect([line.removeFirst(), line.removeFirst(), line.removeFirst()] == [0, 20, nil])
  }

  @Test func thoseWhoLeaveTakeNoMemoryWhileTheFirstStays() {
    var line = WaitingLine<Int>()
    line.append(0, id: 0)
    for id in 1..<10_000 {
      line.append(id, id: id)
      #expect(line.remove(id) == id)
    }
    #expect(line.placeCount < 32)
    #expect(line.removeFirst() == 0)
    #expect(line.removeFirst() == nil)
  }
}
