// SPDX-License-Identifier: Apache-2.0

/// Asks Google to create a conference, which happens after the response.
///
/// A request must say `conferenceDataVersion` 1.
public struct CreateConferenceRequest: CalendarSchema {
  /// The service.
  public var conferenceSolutionKey: ConferenceSolutionKey?
  /// An id that the client makes up, new for every conference.
  ///
  /// A repeated one is ignored.
  public var requestId: String?
  /// How far it is.
  ///
  /// Set by Google.
  public var status: ConferenceRequestStatus?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("conferenceSolutionKey", &conferenceSolutionKey)
    field("requestId", &requestId)
    field("status", &status)
  }
}

extension CreateConferenceRequest {
  /// Creates a request for a conference.
  ///
  /// - Parameter requestId: An id that is new for every conference.
  public init(requestId: String, service: ConferenceSolutionKey.Kind = .hangoutsMeet) {
    self.requestId = requestId
    conferenceSolutionKey = ConferenceSolutionKey(service)
  }
}
