// SPDX-License-Identifier: Apache-2.0

import Foundation
import OAuthJOSE

/// Writes an element of DER.
func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
  let (high, low) = (UInt8(content.count >> 8), UInt8(content.count & 0xFF))
  return [tag] + (content.count < 0x80 ? [low] : content.count < 0x100 ? [0x81, low] : [0x82, high, low]) + content
}

/// Writes a positive number in DER, from its digits without zeros in front.
func integer(_ digits: [UInt8]) -> [UInt8] { element(2, (digits.first ?? 0 >= 0x80 ? [0] : []) + digits) }

func pem(_ label: String, _ content: [UInt8]) -> String {
  let lines = Data(content).base64EncodedString(options: [
    .lineLength64Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
  ])
  return "-----BEGIN \(label)-----\r\n\(lines)\r\n-----END \(label)-----\r\n"
}

func hex(_ text: String) -> [UInt8] {
  var bytes: [UInt8] = []
  var rest = text[...]
  while !rest.isEmpty {
    bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
    rest = rest.dropFirst(2)
  }
  return bytes
}

/// Returns the code of the error that `body` throws.
func code(_ body: () throws -> Void) -> JOSEError.Code? {
  do { try body() } catch { return (error as? JOSEError)?.code }
  return nil
}
