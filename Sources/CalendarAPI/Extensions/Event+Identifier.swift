// SPDX-License-Identifier: Apache-2.0

extension Event {
  /// Returns a random identifier for a new event: 26 of the characters that Google allows, with 128 bits of randomness.
  ///
  /// `events.insert` gives one to an event that has none, so that the insertion can be sent again
  /// when its response was lost without creating a second event.
  public static func makeIdentifier() -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdefghijklmnopqrstuv".utf8)
    var bits = (high: generator.next(), low: generator.next())
    var characters: [UInt8] = []
    for _ in 0..<26 {
      characters.append(digits[Int(bits.low & 31)])
      bits = (bits.high >> 5, bits.low >> 5 | bits.high << 59)
    }
    return String(decoding: characters, as: UTF8.self)
  }

  /// The event with an identifier: its own, or else a new one.
  var identified: (event: Event, id: String, isNew: Bool) {
    if let id { return (self, id, false) }
    var event = self
    let id = Self.makeIdentifier()
    event.id = id
    return (event, id, true)
  }
}
