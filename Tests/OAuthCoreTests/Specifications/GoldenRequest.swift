// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import OAuthFixtures

extension HTTPRequest {
  /// The request as text: method and URL, the fields in the order of their names, an empty line, and the body as it is sent.
  ///
  /// - Parameter random: What stands in place of each random value, by the names of parameters.
  func golden(hiding random: [String: String] = [:]) -> String {
    var body = String(decoding: body ?? [], as: UTF8.self)
    for (name, value) in random {
      guard let found = form[name], let encoded = FormEncoding.form.encode([name: found]).split(separator: "=").last
      else { continue }
      body = body.replacing("\(name)=\(encoded)", with: "\(name)=\(value)")
    }
    let fields = fields.map { "\($0.name): \($0.value)" }.sorted()
    return (["\(method.rawValue) \(url.absoluteString)"] + fields + ["", body]).joined(separator: "\n")
  }
}
