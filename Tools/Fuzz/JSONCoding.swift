// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// Tests that any bytes are parsed or rejected like by a plain parser.
///
/// Values survive writing and parsing. A duplicate name in an object is rejected if and only if names must be unique.
func fuzz(_ bytes: [UInt8]) {
  let value = try? JSONValue(json: bytes)
  precondition(value == PlainJSON.read(bytes))
  do throws(JSONParseError) {
    let unique = try JSONValue(json: bytes, requiringUniqueNames: true)
    precondition(unique == value && !PlainJSON.hasRepeatedName(bytes))
  } catch {
    precondition(error.reason == .repeatedName ? PlainJSON.hasRepeatedName(bytes) : value == nil)
    precondition((0...bytes.count).contains(error.offset))
  }
  if let value {
    let written = value.json()
    precondition((try? JSONValue(json: written)) == value && PlainJSON.read(written) == value)
  }
}
