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
