// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
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
}
