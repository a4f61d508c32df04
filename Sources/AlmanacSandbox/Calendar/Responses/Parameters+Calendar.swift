// SPDX-License-Identifier: Apache-2.0

import Timekeeping

extension Parameters {
  func boolean(_ name: String) throws(APIFault) -> Bool? {
    switch self[name] {
    case nil: return nil
    case "true": return true
    case "false": return false
    default: throw .invalidParameter(name, "The value must be true or false.")
    }
  }

  /// The size of a page: larger ones than the largest are cut to it.
  func pageSize(default standard: Int, maximum: Int) throws(APIFault) -> Int {
    guard let text = self["maxResults"] else { return standard }
    guard let number = Int(text), number > 0 else {
      throw .invalidParameter("maxResults", "The value must be a positive number.")
    }
    return min(number, maximum)
  }

  /// An instant, whose offset from UTC is mandatory.
  func instant(_ name: String) throws(APIFault) -> Timestamp? {
    guard let text = self[name] else { return nil }
    guard let instant = try? Timestamp(rfc3339: text) else {
      throw .invalidParameter(name, "The value must be an RFC 3339 time with an offset.", reason: "badRequest")
    }
    return instant
  }

  func choice(_ name: String, of choices: [String]) throws(APIFault) -> String? {
    guard let text = self[name] else { return nil }
    guard choices.contains(text) else {
      throw .invalidParameter(name, "The value must be one of \(choices.joined(separator: ", ")).")
    }
    return text
  }
}
