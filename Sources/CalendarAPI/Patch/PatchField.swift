// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// What a field of a patch can be: a change of a value, of an object or of a map.
protocol PatchField {
  /// Creates the field from the member of a JSON merge patch; `nil` if there is none.
  init(change: JSONValue?)

  /// The member of a JSON merge patch; `nil` if the field is left as it is.
  var change: JSONValue? { get }
}
