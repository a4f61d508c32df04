// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

extension HTTPResponse {
  /// Returns the body as a form, or `nil` if neither the `Content-Type` nor the provider's quirks say that it is one.
  func form(_ quirks: Provider.Quirks) -> FormFields? {
    let type = fields["Content-Type"]?.split(separator: ";").first?.lowercased().filter { $0 != " " }
    guard quirks.sendsTokensAsForm || type == "application/x-www-form-urlencoded" else { return nil }
    return FormEncoding.form.decode(String(decoding: body, as: UTF8.self))
  }
}
