// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Synchronization
import TestSupport
import Testing

@Suite struct FieldListTests {
  /// Makes a random change to each list of fields and to a plain array, and compares everything that can be asked.
  @Test(arguments: [UInt64(1), 2, 3, 4])
  func agreesWithAPlainArrayUnderRandomChanges(_ seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    var header = HTTPFields()
    var form = FormFields()
    var plain: [(name: String, value: String)] = []
    // Copies that are changed from time to time must not be seen by the original, nor the other way round.
    var copies: (header: HTTPFields, form: FormFields, plain: [(name: String, value: String)])?
    for step in 0..<1000 {
      let name = "Name-\(Int.random(in: 0..<60, using: &numbers))"
      switch Int.random(in: 0..<12, using: &numbers) {
      case 0..<4:
        header[name] = "\(step)"
        form[name] = "\(step)"
        let position = plain.firstIndex { $0.name == name } ?? plain.endIndex
        plain.removeAll { $0.name == name }
        plain.insert((name, "\(step)"), at: position)
      case 4..<8:
        header.append(name, "\(step)")
        form.append(name, "\(step)")
        plain.append((name, "\(step)"))
      case 8:
        header[name.uppercased()] = nil
        form[name] = nil
        plain.removeAll { $0.name == name }
      case 9 where plain.count > 100:
        header = [:]
        form = [:]
        plain = []
      case 10: copies = (header, form, plain)
      default: if let copies { (header, form, plain) = copies }
      }
      #expect(header.map(\.name) == plain.map(\.name))
      #expect(header.map(\.value) == plain.map(\.value))
      #expect(form.map(\.value) == plain.map(\.value))
      #expect(header[name.lowercased()] == plain.first { $0.name == name }?.value)
      #expect(form[name] == plain.first { $0.name == name }?.value)
      #expect(header.values(for: name.uppercased()) == plain.filter { $0.name == name }.map(\.value))
      #expect(form.values(for: name) == plain.filter { $0.name == name }.map(\.value))
      #expect(header == HTTPFields(plain.map { ($0.name, $0.value) }))
      #expect(form.hashValue == FormFields(plain.map { ($0.name, $0.value) }).hashValue)
    }
  }

  @Test(arguments: [1000, 4000])
  func namesAreComparedAFixedNumberOfTimesPerField(_ count: Int) {
    var list = FieldList<CountingField>()
    let names = (0..<count).map { "name-\($0)" }
    #expect(comparisons { for name in names { list.set(name, to: "a") } } < 10 * count)
    #expect(comparisons { for name in names { list.set(name, to: "b") } } < 10 * count)
    var found: [String] = []
    #expect(comparisons { for name in names { found += [list.firstValue(for: name) ?? ""] } } < 10 * count)
    #expect(comparisons { for name in names { found += list.values(for: name) } } < 10 * count)
    #expect(found == Array(repeating: "b", count: 2 * count))
    var copy = list
    #expect(comparisons { for name in names { copy.set(name + "'", to: "c") } } < 10 * count)
    #expect(list.fields.count == count)
    #expect(copy.fields.count == 2 * count)
  }

  /// Returns how many names were compared in `body`.
  private func comparisons(_ body: () -> Void) -> Int {
    let counter = Counter()
    Counter.$current.withValue(counter) { body() }
    return counter.count.withLock(\.self)
  }
}

private final class Counter: Sendable {
  @TaskLocal static var current: Counter?
  let count = Mutex(0)
}

/// A field that counts how often its name is compared.
private struct CountingField: NamedField {
  struct Key: Hashable, Sendable {
    let name: String

    static func == (left: Key, right: Key) -> Bool {
      Counter.current?.count.withLock { $0 += 1 }
      return left.name == right.name
    }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  let name: String
  let value: String

  static func key(_ name: String) -> Key { Key(name: name) }

  static func isSame(_ left: String, _ right: String) -> Bool { key(left) == key(right) }
}
