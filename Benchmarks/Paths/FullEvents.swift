// SPDX-License-Identifier: Apache-2.0

/// A page with nearly all fields of the API's schemas, as a program would declare them for `JSONDecoder`, with times as text.
///
/// It omits the gadget, birthday, focus-time, out-of-office and working-location properties, fields that the API no longer has,
/// and fields that no event of the page has.
struct FullEvents: Decodable {
  let kind, etag, summary, description, timeZone, updated, accessRole, nextPageToken, nextSyncToken: String?
  let defaultReminders: [Reminder]?
  let items: [Event]?

  struct Event: Decodable {
    let anyoneCanAddSelf: Bool?
    let attachments: [Attachment]?
    let attendees: [Attendee]?
    let attendeesOmitted: Bool?
    let colorId: String?
    let conferenceData: Conference?
    let created: String?
    let creator: Person?
    let description: String?
    let end: Time?
    let endTimeUnspecified: Bool?
    let etag, eventLabelId, eventType: String?
    let extendedProperties: Properties?
    let guestsCanInviteOthers, guestsCanModify, guestsCanSeeOtherGuests: Bool?
    let hangoutLink, htmlLink, iCalUID, id, kind, location: String?
    let locked: Bool?
    let organizer: Person?
    let originalStartTime: Time?
    let privateCopy: Bool?
    let recurrence: [String]?
    let recurringEventId: String?
    let reminders: Reminders?
    let sequence: Int?
    let source: Source?
    let start: Time?
    let status, summary, transparency, updated, visibility: String?
  }
  struct Person: Decodable {
    let displayName, email, id: String?
    let `self`: Bool?
  }
  struct Time: Decodable { let date, dateTime, timeZone: String? }
  struct Attachment: Decodable { let fileId, fileUrl, iconLink, mimeType, title: String? }
  struct Attendee: Decodable {
    let additionalGuests: Int?
    let asyncOperation, comment, displayName, email, id, responseStatus: String?
    let optional, organizer, resource, `self`: Bool?
  }
  struct Properties: Decodable { let `private`, shared: [String: String]? }
  struct Source: Decodable { let title, url: String? }
  struct Conference: Decodable {
    let conferenceId, notes, signature: String?
    let conferenceSolution: Solution?
    let createRequest: CreateRequest?
    let entryPoints: [EntryPoint]?
  }
  struct CreateRequest: Decodable {
    let conferenceSolutionKey: Key?
    let requestId: String?
  }
  struct EntryPoint: Decodable {
    let accessCode, entryPointType, label, meetingCode, passcode, password, pin, regionCode, uri: String?
    let entryPointFeatures: [String]?
  }
  struct Solution: Decodable {
    let iconUri, name: String?
    let key: Key?
  }
  struct Key: Decodable { let type: String? }
  struct Reminders: Decodable {
    let useDefault: Bool?
    let overrides: [Reminder]?
  }
  struct Reminder: Decodable {
    let method: String?
    let minutes: Int?
  }
}
