// SPDX-License-Identifier: Apache-2.0

// Google ignores some fields of an event unless a parameter says that the client supports them.
extension EventsResource.InsertQuery {
  /// Creates the parameters with which the server accepts all fields of an event.
  ///
  /// - Parameters:
  ///   - event: The event to insert.
  ///   - sendUpdates: The guests who are notified.
  public init(writing event: Event, sendUpdates: SendUpdates? = nil) {
    self.init(
      sendUpdates: sendUpdates, conferenceDataVersion: event.conferenceData == nil ? nil : 1,
      eventLabelVersion: event.eventLabelID == nil ? nil : 1, supportsAttachments: event.attachments == nil ? nil : true
    )
  }
}

extension EventsResource.UpdateQuery {
  /// Creates the parameters with which the server accepts all fields of a patch.
  ///
  /// - Parameters:
  ///   - patch: The patch to send.
  ///   - sendUpdates: The guests who are notified.
  public init(writing patch: Event.Patch, sendUpdates: SendUpdates? = nil) {
    self.init(
      sendUpdates: sendUpdates, conferenceDataVersion: patch.changes["conferenceData"] == nil ? nil : 1,
      eventLabelVersion: patch.changes["eventLabelId"] == nil ? nil : 1,
      supportsAttachments: patch.changes["attachments"] == nil ? nil : true)
  }
}
