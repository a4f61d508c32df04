// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import HTTPTransport
import TestSupport
import Testing
import Timekeeping

struct PushTests {
  /// The header of a notification, in another case than Google's documentation has.
  private static let fields: HTTPFields = [
    "host": "example.org", "content-length": "0", "x-goog-channel-id": "channel", "x-goog-channel-token": "secret",
    "x-goog-channel-expiration": "Sun, 29 Nov 2026 08:00:00 GMT", "x-goog-message-number": "10",
    "x-goog-resource-id": "resource", "x-goog-resource-state": "exists",
    "x-goog-resource-uri": "https://www.googleapis.com/calendar/v3/calendars/primary/events?alt=json",
  ]

  private static func fields(_ name: String, _ value: String?) -> HTTPFields {
    var fields = fields
    fields[name] = value
    return fields
  }

  @Test func everyFieldIsRead() throws {
    let notification = try ChannelNotification(Self.fields)
    #expect(notification.channelID == "channel" && notification.hasToken("secret"))
    #expect(notification.expiration == HTTPDate.parse("Sun, 29 Nov 2026 08:00:00 GMT"))
    #expect(notification.messageNumber == 10 && notification.resourceID == "resource")
    #expect(notification.resourceState == .exists)
    #expect(notification.resourceURI == "https://www.googleapis.com/calendar/v3/calendars/primary/events?alt=json")
  }

  @Test(arguments: ["1", "9", "1234567890", "9223372036854775807"])
  func messageNumberIsAnyPositiveInteger(_ number: String) throws {
    let notification = try ChannelNotification(Self.fields("X-Goog-Message-Number", number))
    #expect("\(notification.messageNumber)" == number)
  }

  @Test func tokenAndExpirationMayBeMissing() throws {
    var fields = Self.fields("X-Goog-Channel-Token", nil)
    fields["X-Goog-Channel-Expiration"] = nil
    let notification = try ChannelNotification(fields)
    #expect(notification.expiration == nil)
    #expect(!notification.hasToken(""))
    // A notification must not be lost because of the time of something else.
    #expect(try ChannelNotification(Self.fields("X-Goog-Channel-Expiration", "soon")).expiration == nil)
  }

  @Test(
    arguments: [
      ("X-Goog-Channel-ID", nil), ("X-Goog-Resource-ID", nil), ("X-Goog-Resource-State", nil),
      ("X-Goog-Resource-URI", nil), ("X-Goog-Message-Number", nil), ("X-Goog-Channel-ID", ""),
      ("X-Goog-Message-Number", "0"), ("X-Goog-Message-Number", "-1"), ("X-Goog-Message-Number", "+1"),
      ("X-Goog-Message-Number", "1x"), ("X-Goog-Message-Number", "99999999999999999999"),
      ("X-Goog-Message-Number", "1/"), ("X-Goog-Message-Number", "1:"),
    ] as [(String, String?)]) func aRequestThatIsNoNotificationIsRefused(_ name: String, _ value: String?) throws
  {
    let error = try #require(throws: ChannelNotificationError.self) {
      try ChannelNotification(Self.fields(name, value))
    }
    #expect(error.field.rawValue == name)
    #expect(error.reason == (value?.isEmpty == false ? .malformed : .missing))
    let fault = error.reason == .missing ? "is missing" : "is malformed"
    #expect(error.description.hasSuffix("\(name) \(fault)."))
    #expect(error.errorDescription == error.description)
  }

  @Test(arguments: ["X-Goog-Channel-ID", "X-Goog-Channel-Token", "X-Goog-Channel-Expiration"])
  func aFieldThatOccursTwiceIsRefused(_ name: String) throws {
    var fields = Self.fields
    fields.append(name, "other")
    let error = try #require(throws: ChannelNotificationError.self) { try ChannelNotification(fields) }
    #expect(error == ChannelNotificationError(.repeated, error.field))
    #expect(error.field.rawValue == name)
  }

  @Test func aNotificationBelongsToItsChannel() throws {
    let notification = try ChannelNotification(Self.fields)
    var channel = WatchChannel(address: "https://example.org/", id: "channel", token: "secret")
    #expect(notification.belongs(to: channel))
    channel.resourceID = "resource"
    #expect(notification.belongs(to: channel))
    for change in [
      { $0.id = "other" }, { $0.id = nil }, { $0.token = "Secret" }, { $0.token = "secre" }, { $0.token = nil },
      { $0.resourceID = "other" },
    ] as [(inout WatchChannel) -> Void] {
      var other = channel
      change(&other)
      #expect(!notification.belongs(to: other))
    }
    // Without a token anyone could send it.
    channel.token = nil
    #expect(try !ChannelNotification(Self.fields("X-Goog-Channel-Token", nil)).belongs(to: channel))
  }

  @Test func aChannelIsMadeToBeWatched() async throws {
    let transport = StubTransport { request in
      HTTPResponse(status: 200, body: request.body ?? [])
    }
    let client = CalendarClient(transport: transport)
    let time = Timestamp(secondsSince1970: 1_796_000_000, nanoseconds: 123_999_999)
    let channel = WatchChannel(address: "https://example.org/", expiration: time)
    let opened = try await client.events.watch(channel, in: "c")
    #expect(opened.type == .webHook)
    #expect(opened.address == "https://example.org/")
    #expect(opened.expiration == 1_796_000_000_123)
    #expect(opened.expirationTime == Timestamp(secondsSince1970: 1_796_000_000, nanoseconds: 123_000_000))
    #expect(opened.id?.count == 43 && opened.token?.count == 43 && opened.id != opened.token)
    #expect(WatchChannel(address: "").id != WatchChannel(address: "").id)
    #expect(WatchChannel(address: "").expirationTime == nil)
  }

  @Test func anyExpirationIsATime() {
    var channel = WatchChannel(address: "https://example.org/")
    for value in [Int64.min, -1, 0, .max] {
      channel.expiration = value
      let time = channel.expirationTime
      channel.expirationTime = time
      #expect(channel.expirationTime == time)
    }
    channel.expirationTime = Timestamp(secondsSince1970: .max, nanoseconds: 999_999_999)
    #expect(channel.expiration == .max)
    channel.expirationTime = Timestamp(secondsSince1970: .min)
    #expect(channel.expiration == .min)
  }
}
