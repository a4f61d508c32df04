// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

/// Tests any bytes as the value of `WWW-Authenticate`.
///
/// The parsed challenges consist of tokens, and survive writing and parsing. Two concatenated lists are parsed as one.
func fuzz(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  let challenges = read(text)
  for challenge in challenges {
    precondition(isToken(challenge.scheme) && challenge.parameters.allSatisfy { isToken($0.name) })
    precondition(challenge.token68 == nil || challenge.parameters.isEmpty)
    for (name, value) in challenge.parameters {
      let values = challenge.parameters.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
      precondition(challenge[name] == (values.count == 1 ? value : nil))
    }
  }
  let written = challenges.map(write).joined(separator: ", ")
  precondition(read(written) == challenges)
  precondition(read(written + " ,, " + written) == challenges + challenges)
}

private func read(_ value: String) -> [AuthenticationChallenge] {
  let fields: HTTPFields = ["WWW-Authenticate": value]
  return fields.authenticationChallenges
}

/// Returns challenges in the format of RFC 9110 § 11.6.1, with every value in quotation marks.
private func write(_ challenge: AuthenticationChallenge) -> String {
  if let data = challenge.token68 { return "\(challenge.scheme) \(data)" }
  let parameters = challenge.parameters.map { name, value in
    let escaped = value.unicodeScalars.map { ["\"", "\\"].contains($0) ? "\\\($0)" : "\($0)" }.joined()
    return "\(name)=\"\(escaped)\""
  }
  return ([challenge.scheme] + [parameters.joined(separator: ", ")].filter { !$0.isEmpty }).joined(separator: " ")
}

private let tokenCharacters = Set(
  "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

private func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(tokenCharacters.contains) }
