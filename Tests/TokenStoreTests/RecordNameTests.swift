// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import TestSupport
import Testing
import TokenStore

struct RecordNameTests {
  @Test(
    arguments: [
      ("default", "1234.apps.googleusercontent.com", "default 1234.apps.googleusercontent.com"),
      ("two words", "a", "two words a"), ("a ", "b", "a  b"), (" ", "b", "  b"), ("a", "b c", "a b%20c"),
      ("a b", "c", "a b c"), ("a", "b%20c", "a b%2520c"), ("a", "%", "a %25"), ("a%20b", "c", "a%20b c"),
      ("é", "https://client.example/ü?a=%C3", "é https://client.example/ü?a=%25C3"),
    ])
  func nameIsTheAccountThenTheClient(_ account: String, _ clientID: String, _ name: String) {
    let record = RecordName(account: account, clientID: clientID)
    #expect(record.description == name)
    #expect(RecordName(name) == record)
  }

  @Test(arguments: ["", "default", "default ", " client"]) func otherNamesAreNone(_ text: String) {
    #expect(RecordName(text) == nil)
  }

  @Test(arguments: [("a b%2", "b%2"), ("a b%", "b%"), ("a %41", "%41")])
  func escapesOfOthersAreLeft(_ text: String, _ clientID: String) {
    #expect(RecordName(text)?.clientID == clientID)
  }

  /// Names of random texts are read as what they were made of, so that no two records have one name.
  ///
  /// A text can begin with a scalar that forms one `Character` with the space before it.
  @Test func everyNameHasOneReading() {
    var random = SeededNumbers(seed: 20_261_124)
    let pieces = ["a", " ", "%", "%20", "%25", "2", "0", "é", "\u{301}", "\u{200D}", "\u{FE0F}", "\r", "\n"]
    func text(using random: inout SeededNumbers) -> String {
      (0..<Int.random(in: 1...6, using: &random)).map { _ in
        Bool.random(using: &random)
          ? pieces.randomElement(using: &random) ?? ""
          : Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random)).map { String($0) } ?? "a"
      }.joined()
    }
    for _ in 0..<20_000 {
      let record = RecordName(account: text(using: &random), clientID: text(using: &random))
      #expect(RecordName(record.description) == record, "\(Array(record.description.unicodeScalars))")
    }
  }

  @Test func spellingsOfOneCharacterAreDifferentNames() {
    let names = ["\u{E9}", "e\u{301}"].flatMap { text in
      [RecordName(account: text, clientID: "c"), RecordName(account: "a", clientID: text)]
    }
    #expect(Set(names).count == 4)
  }
}
