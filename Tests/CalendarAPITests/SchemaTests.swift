// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import HexColor
import Testing

/// Every field of every schema, by Google's names, and whether it survives.
struct SchemaTests {
  struct Sample: CustomTestStringConvertible, Sendable {
    let type: any CalendarSchema.Type
    /// One object in which every field of the schema is set, and two the schema does not know.
    let json: String
    let fieldNames: String
    var testDescription: String { "\(type)" }

    init(_ type: any CalendarSchema.Type, _ fieldNames: String, _ json: String) {
      self.type = type
      self.json = json
      self.fieldNames = fieldNames
    }
  }

  static let person = #"{"displayName":"Ana","email":"ana@example.org","id":"17","self":true,"x":{"y":[1.50,null]}}"#
  static let reminder = #"{"method":"pigeon","minutes":40320,"x":"kept"}"#
  static let label = ##"{"backgroundColor":"#aabbcc","id":"l1","name":"Trips","x":0}"##
  static let solutionKey = #"{"type":"hangoutsMeet","x":0}"#
  static let dateTime = #"{"dateTime":"2026-03-01T09:30:00.250+01:00","timeZone":"Europe/Madrid","x":0}"#
  static let date = #"{"date":"2026-03-01","x":0}"#
  static let attachment =
    #"{"fileId":"f","fileUrl":"https://f.example/f","iconLink":"https://f.example/i","mimeType":"a/b","title":"Plan","x":0}"#
  static let attendee =
    #"{"additionalGuests":2,"asyncOperation":"inProgress","comment":"Late","displayName":"Bo","email":"bo@example.org","id":"9","optional":true,"organizer":false,"resource":false,"responseStatus":"tentative","self":false,"x":0}"#
  static let entryPoint =
    #"{"accessCode":"1","entryPointFeatures":["toll"],"entryPointType":"video","label":"meet","meetingCode":"2","passcode":"3","password":"4","pin":"5","regionCode":"ES","uri":"https://meet.example/1","x":0}"#
  static let createRequest =
    #"{"conferenceSolutionKey":\#(solutionKey),"requestId":"r1","status":{"statusCode":"pending","x":0},"x":0}"#
  static let solution = #"{"iconUri":"https://meet.example/icon","key":\#(solutionKey),"name":"Meet","x":0}"#
  static let parameters = #"{"addOnParameters":{"parameters":{"room":"blue"},"x":0},"x":0}"#
  static let conference =
    #"{"conferenceId":"c1","conferenceSolution":\#(solution),"createRequest":\#(createRequest),"entryPoints":[\#(entryPoint)],"notes":"Hi","parameters":\#(parameters),"signature":"sig","x":0}"#
  static let birthday = #"{"contact":"people/c1","customTypeName":"Name day","type":"custom","x":0}"#
  static let focus =
    #"{"autoDeclineMode":"declineNone","chatStatus":"doNotDisturb","declineMessage":"Busy","x":0}"#
  static let outOfOffice =
    #"{"autoDeclineMode":"declineAllConflictingInvitations","declineMessage":"Away","x":0}"#
  static let workingLocation =
    #"{"customLocation":{"label":"Café","x":0},"homeOffice":{},"officeLocation":{"buildingId":"b","deskId":"d","floorId":"2","floorSectionId":"s","label":"North","x":0},"type":"homeOffice","x":0}"#
  static let gadget =
    #"{"display":"chip","height":10,"iconLink":"https://g.example/i","link":"https://g.example","preferences":{"a":"b"},"title":"G","type":"t","width":20,"x":0}"#
  static let event = #"""
    {"anyoneCanAddSelf":false,"attachments":[\#(attachment)],"attendees":[\#(attendee)],"attendeesOmitted":true,
    "birthdayProperties":\#(birthday),"colorId":"7","conferenceData":\#(conference),"created":"2026-01-02T03:04:05Z",
    "creator":\#(person),"description":"<b>All</b> \"of\" it\n","end":\#(dateTime),"endTimeUnspecified":false,
    "etag":"\"123\"","eventLabelId":"l1","eventType":"meteorShower","extendedProperties":{"private":{"k":"v"},
    "shared":{"a":"ñ"},"x":0},"focusTimeProperties":\#(focus),"gadget":\#(gadget),"guestsCanInviteOthers":true,
    "guestsCanModify":false,"guestsCanSeeOtherGuests":true,"hangoutLink":"https://meet.example/1",
    "htmlLink":"https://calendar.example/e","iCalUID":"u@example.org","id":"base_20260301T083000Z","kind":"calendar#event",
    "location":"Calle Mayor 1","locked":false,"organizer":\#(person),"originalStartTime":\#(date),
    "outOfOfficeProperties":\#(outOfOffice),"privateCopy":false,"recurrence":["RRULE:FREQ=DAILY","EXDATE;VALUE=DATE:20260302"],
    "recurringEventId":"base","reminders":{"overrides":[\#(reminder)],"useDefault":false,"x":0},"sequence":3,
    "source":{"title":"S","url":"https://s.example","x":0},"start":\#(dateTime),"status":"confirmed","summary":"Lunch 🍋",
    "transparency":"transparent","updated":"2026-01-02T03:04:05.678Z","visibility":"private",
    "workingLocationProperties":\#(workingLocation),"future":{"deep":[true,{"n":-1e-7}]},"big":123456789012345678901234567890}
    """#
  static let entry = #"""
    {"accessRole":"writerWithoutPrivateAccess","autoAcceptInvitations":false,"backgroundColor":"#9fe1e7","colorId":"14",
    "conferenceProperties":{"allowedConferenceSolutionTypes":["hangoutsMeet","carrierPigeon"],"x":0},
    "dataOwner":"ana@example.org","defaultReminders":[\#(reminder)],"deleted":false,"description":"Ours","etag":"\"1\"",
    "foregroundColor":"#000000","hidden":false,"id":"team@group.example","kind":"calendar#calendarListEntry",
    "location":"Madrid","notificationSettings":{"notifications":[{"method":"email","type":"agenda","x":0}],"x":0},
    "primary":true,"selected":true,"summary":"Team","summaryOverride":"My team","timeZone":"Europe/Madrid",
    "future":{"deep":[true]},"x":null}
    """#
  static let colors = #"""
    {"calendar":{"1":{"background":"#ac725e","foreground":"#1d1d1d","x":0}},"event":{"2":{"background":"#7ae7bf"}},
    "kind":"calendar#colors","updated":"2012-02-14T00:00:00Z","future":1,"x":0}
    """#

  static let samples = [
    Sample(CalendarNotification.self, "method type", #"{"method":"email","type":"eventCreation","future":1,"x":0}"#),
    Sample(EventReminder.self, "method minutes", reminder),
    Sample(
      ConferenceProperties.self, "allowedConferenceSolutionTypes", #"{"allowedConferenceSolutionTypes":["addOn"]}"#),
    Sample(
      CalendarListEntry.self,
      """
      accessRole autoAcceptInvitations backgroundColor colorId conferenceProperties dataOwner defaultReminders deleted \
      description etag foregroundColor hidden id kind location notificationSettings primary selected summary \
      summaryOverride timeZone
      """, entry),
    Sample(
      CalendarListEntry.NotificationSettings.self, "notifications", #"{"notifications":[{"method":"email"}],"x":0}"#),
    Sample(
      CalendarList.self, "etag items kind nextPageToken nextSyncToken",
      #"{"etag":"e","items":[\#(entry)],"kind":"calendar#calendarList","nextPageToken":"p","nextSyncToken":"s","x":0}"#),
    Sample(ColorDefinition.self, "background foreground", ##"{"background":"#ac725e","foreground":"#1d1d1d","x":0}"##),
    Sample(Colors.self, "calendar event kind updated", colors),
    Sample(EventLabel.self, "backgroundColor id name", label),
    Sample(
      EventDateTime.self, "date dateTime timeZone",
      #"{"date":"2026-03-01","dateTime":"2026-03-01T09:30:00Z","timeZone":"UTC"}"#),
    Sample(EventAttachment.self, "fileId fileUrl iconLink mimeType title", attachment),
    Sample(
      EventAttendee.self,
      "additionalGuests asyncOperation comment displayName email id optional organizer resource responseStatus self",
      attendee),
    Sample(EventBirthdayProperties.self, "contact customTypeName type", birthday),
    Sample(EventFocusTimeProperties.self, "autoDeclineMode chatStatus declineMessage", focus),
    Sample(EventOutOfOfficeProperties.self, "autoDeclineMode declineMessage", outOfOffice),
    Sample(EventWorkingLocationProperties.self, "customLocation homeOffice officeLocation type", workingLocation),
    Sample(EventWorkingLocationProperties.CustomLocation.self, "label", #"{"label":"Café"}"#),
    Sample(
      EventWorkingLocationProperties.OfficeLocation.self, "buildingId deskId floorId floorSectionId label",
      #"{"buildingId":"b","deskId":"d","floorId":"2","floorSectionId":"s","label":"North","x":0}"#),
    Sample(
      ConferenceData.self,
      "conferenceId conferenceSolution createRequest entryPoints notes parameters signature", conference),
    Sample(ConferenceSolution.self, "iconUri key name", solution),
    Sample(ConferenceSolutionKey.self, "type", solutionKey),
    Sample(ConferenceRequestStatus.self, "statusCode", #"{"statusCode":"failure","x":0}"#),
    Sample(CreateConferenceRequest.self, "conferenceSolutionKey requestId status", createRequest),
    Sample(
      EntryPoint.self,
      """
      accessCode entryPointFeatures entryPointType label meetingCode passcode password pin regionCode uri
      """, entryPoint),
    Sample(ConferenceParameters.self, "addOnParameters", parameters),
    Sample(ConferenceParametersAddOnParameters.self, "parameters", #"{"parameters":{"a":"b"},"x":0}"#),
    Sample(
      Event.self,
      """
      anyoneCanAddSelf attachments attendees attendeesOmitted birthdayProperties colorId conferenceData created creator \
      description end endTimeUnspecified etag eventLabelId eventType extendedProperties focusTimeProperties gadget \
      guestsCanInviteOthers guestsCanModify guestsCanSeeOtherGuests hangoutLink htmlLink iCalUID id kind location locked \
      organizer originalStartTime outOfOfficeProperties privateCopy recurrence recurringEventId reminders sequence source \
      start status summary transparency updated visibility workingLocationProperties
      """, event),
    Sample(Event.Person.self, "displayName email id self", person),
    Sample(Event.ExtendedProperties.self, "private shared", #"{"private":{"k":"v"},"shared":{},"x":0}"#),
    Sample(Event.Gadget.self, "display height iconLink link preferences title type width", gadget),
    Sample(Event.Reminders.self, "overrides useDefault", #"{"overrides":[\#(reminder)],"useDefault":false,"x":0}"#),
    Sample(Event.Source.self, "title url", #"{"title":"S","url":"https://s.example","x":0}"#),
    Sample(
      Events.self,
      "accessRole defaultReminders description etag items kind nextPageToken nextSyncToken summary timeZone updated",
      #"""
      {"accessRole":"none","defaultReminders":[\#(reminder)],"description":"Ours","etag":"e","items":[\#(event)],
      "kind":"calendar#events","nextPageToken":"p","nextSyncToken":"s","summary":"Team","timeZone":"Europe/Madrid",
      "updated":"2026-01-02T03:04:05Z","x":0}
      """#),
  ]

  @Test(arguments: samples) func hasEveryFieldOfTheSchema(_ sample: Sample) {
    #expect(sample.type.fieldNames == sample.fieldNames.split(separator: " ").map(String.init))
  }

  @Test(arguments: samples) func everyFieldFindsItsProperty(_ sample: Sample) throws {
    let given = try fields(of: sample.json)
    let known = Set(sample.type.fieldNames)
    let value = try sample.type.init(json: Array(sample.json.utf8))
    #expect(value.additionalFields == given.filter { !known.contains($0.key) })
    #expect(value.setFields.isSubset(of: given.keys))
  }

  @Test(arguments: samples) func survivesBeingReadAndWritten(_ sample: Sample) throws {
    let value = try sample.type.init(json: Array(sample.json.utf8))
    #expect(try fields(of: value.json()) == fields(of: sample.json))
  }

  @Test(arguments: samples) func anEmptyObjectIsFine(_ sample: Sample) throws {
    let value = try sample.type.init(json: Array("{}".utf8))
    #expect(value.setFields.subtracting(["items"]).isEmpty)
  }

  @Test func unknownValuesOfAnEnumerationAreKept() throws {
    let entry = try CalendarListEntry(json: Array(#"{"accessRole":"overlord"}"#.utf8))
    #expect(entry.accessRole == "overlord")
    #expect(String(decoding: entry.json(), as: UTF8.self) == #"{"accessRole":"overlord"}"#)
  }

  @Test func aDeletedEventHasLittleMore() throws {
    let event = try Event(json: Array(#"{"kind":"calendar#event","etag":"\"1\"","id":"a","status":"cancelled"}"#.utf8))
    #expect(event.status == .cancelled)
    #expect(event.start == nil)
  }

  @Test func aPropertyWinsOverAnAdditionalFieldOfTheSameName() throws {
    var entry = try CalendarListEntry(json: Array(#"{"backgroundColor":"reddish"}"#.utf8))
    entry.backgroundColor = .black
    #expect(String(decoding: entry.json(), as: UTF8.self) == ##"{"backgroundColor":"#000000"}"##)
  }

  @Test func descriptionsNameFieldsAndShowNoValue() throws {
    let list = CalendarList {
      $0.nextSyncToken = "ana@example.org-secret"
      $0.additionalFields["future"] = ["secret": "secret"]
    }
    var dumped = ""
    dump(list, to: &dumped)
    for text in ["\(list)", String(reflecting: list), dumped, "\(Optional(list) as Any)"] {
      #expect(text.contains("nextSyncToken, future"))
      #expect(!text.contains("secret"))
    }
  }
}

extension CalendarSchema {
  /// The names of the fields that are set.
  fileprivate var setFields: Set<String> {
    Set(debugDescription.drop { $0 != "(" }.dropFirst().dropLast().split(separator: ", ").map(String.init))
  }
}
