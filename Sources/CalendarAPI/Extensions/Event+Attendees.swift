// SPDX-License-Identifier: Apache-2.0

extension Event {
  /// Adds an attendee, or replaces the one with the same e-mail address.
  public mutating func addAttendee(_ attendee: EventAttendee) {
    if let index = attendees?.firstIndex(where: { $0.isSame(as: attendee.email) }) {
      attendees?[index] = attendee
    } else {
      attendees = (attendees ?? []) + [attendee]
    }
  }

  /// Removes the attendee with an e-mail address, if there is one.
  public mutating func removeAttendee(email: String) {
    attendees?.removeAll { $0.isSame(as: email) }
  }

  /// Sets the response of an attendee.
  ///
  /// - Parameters:
  ///   - status: The response.
  ///   - email: The e-mail address of the attendee, or `nil` for the owner of the calendar from which the event was read.
  /// - Returns: Whether the attendee exists.
  @discardableResult
  public mutating func setResponse(_ status: EventAttendee.ResponseStatus, of email: String? = nil) -> Bool {
    let index = attendees?.firstIndex { attendee in
      if let email { attendee.isSame(as: email) } else { attendee.isSelf == true }
    }
    guard let index else { return false }
    attendees?[index].responseStatus = status
    return true
  }
}

extension EventAttendee {
  /// Returns whether the attendee has this e-mail address, compared without regard to case as by Google.
  fileprivate func isSame(as other: String?) -> Bool {
    guard let email, let other else { return false }
    return email.lowercased() == other.lowercased()
  }
}
