// SPDX-License-Identifier: Apache-2.0

package import PlatformFoundation

extension URL {
  /// Returns the URL with `fields` added to its query, or `nil` if it has a fragment, which no query may follow.
  package func appending(_ fields: FormFields, as encoding: FormEncoding) -> URL? {
    guard !fields.isEmpty else { return self }
    guard fragment() == nil else { return nil }
    return URL(string: absoluteString + (query() == nil ? "?" : "&") + encoding.encode(fields))
  }
}
