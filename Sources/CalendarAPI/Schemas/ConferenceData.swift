// SPDX-License-Identifier: Apache-2.0

/// The conference of an event.
///
/// A request that changes it must say `conferenceDataVersion` 1.
public struct ConferenceData: CalendarSchema {
  /// The id that the service gave.
  public var conferenceId: String?
  /// The service.
  public var conferenceSolution: ConferenceSolution?
  /// Asks for a new conference.
  public var createRequest: CreateConferenceRequest?
  /// The ways in.
  public var entryPoints: [EntryPoint]?
  /// What users should know, at most 2,048 characters.
  public var notes: String?
  /// What the service keeps.
  public var parameters: ConferenceParameters?
  /// The service's proof that the data are its own.
  public var signature: String?
  /// The fields that this version of the module does not know.
  public var additionalFields: [String: JSONValue] = [:]

  /// Creates a value without fields.
  public init() {}

  /// Visits every field, to read or to write it.
  public mutating func visitFields(_ field: inout FieldVisitor) {
    field("conferenceId", &conferenceId)
    field("conferenceSolution", &conferenceSolution)
    field("createRequest", &createRequest)
    field("entryPoints", &entryPoints)
    field("notes", &notes)
    field("parameters", &parameters)
    field("signature", &signature)
  }
}
