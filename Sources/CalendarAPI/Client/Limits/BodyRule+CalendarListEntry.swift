// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding

extension BodyRule {
  /// The colours of a new or changed entry that the server ignores.
  static let entryColors = BodyRule { entry, query in
    guard query.fields["colorRgbFormat"] != "true",
      let field = ["backgroundColor", "foregroundColor"].first(where: { entry[$0] != nil })
    else { return nil }
    return "\(field) is ignored without colorRgbFormat: set it to true, or set colorId instead."
  }

  /// The colours of a replaced entry that the server ignores.
  ///
  /// A replacement sends the colours that were read beside their identifier, which counts. A colour that was set after the
  /// reading looks the same, and is ignored by the server: the colours that belong to an identifier are not known.
  static let replacedEntryColors = BodyRule { entry, query in
    entry["colorId"] == nil ? entryColors.problem(entry, query) : nil
  }
}
