// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import Testing
import Timekeeping

@Suite struct PushDeliveryTests {
  private static let watch = "calendars/primary/events/watch"
  private static let event = #"{"start":{"date":"2026-01-02"},"end":{"date":"2026-01-03"}}"#

  private func harness(_ receiver: StubTransport) throws -> SandboxHarness {
    try SandboxHarness(clock: ManualClock(skipsWaits: true)) { $0.notificationTransport = receiver }
  }

  private func channel(_ id: String = "one", _ more: String = "") -> String {
    #"{"id":"\#(id)","type":"web_hook","address":"https://example.com/hook"\#(more)}"#
  }

  @Test(arguments: [("calendars/primary/acl", "acl"), ("users/me/calendarList", "list"), ("users/me/settings", "none")])
  func otherResourcesAreWatchedToo(path: String, change: String) async throws {
    let receiver = StubTransport { _ in HTTPResponse(status: 204) }
    let harness = try harness(receiver)
    let token = try await harness.token()
    #expect(try await harness.call(.post, path + "/watch", channel(), token: token).status == 200)
    let rule = #"{"scope":{"type":"default"},"role":"reader"}"#
    if change == "acl" { _ = try await harness.call(.post, "calendars/primary/acl", rule, token: token) }
    if change == "list" { _ = try await harness.call(.post, "calendars", #"{"summary":"x"}"#, token: token) }
    await harness.sandbox.notificationsDelivered()
    #expect(receiver.requests.count == (change == "none" ? 1 : 2))
  }

  @Test func aReceiverThatFailsIsAskedAgainALittle() async throws {
    let receiver = StubTransport(HTTPResponse(status: 503), HTTPResponse(status: 200), HTTPResponse(status: 404))
    let harness = try harness(receiver)
    let token = try await harness.token()
    _ = try await harness.call(.post, Self.watch, channel(), token: token)
    await harness.sandbox.notificationsDelivered()
    #expect(receiver.requests.map { $0.fields["X-Goog-Message-Number"] } == ["1", "1"])
    _ = try await harness.call(.post, "calendars/primary/events", Self.event, token: token)
    await harness.sandbox.notificationsDelivered()
    #expect(receiver.requests.count == 3, "404 is an answer.")
    _ = try await harness.call(.post, "calendars/primary/events", Self.event, token: token)
    await harness.sandbox.notificationsDelivered()
    #expect(receiver.requests.count == 6, "Without any answer it is tried three times.")
  }

  @Test func aChannelExpires() async throws {
    let receiver = StubTransport { _ in HTTPResponse(status: 200) }
    let harness = try harness(receiver)
    let token = try await harness.token()
    let opened = try await harness.call(.post, Self.watch, channel("one", #","params":{"ttl":"60"}"#), token: token)
    let expected = (harness.clock.now + .seconds(60)).secondsSince1970 * 1000
    #expect(opened["expiration"] == String(expected))
    #expect(try await harness.call(.post, Self.watch, channel(), token: token).reason == "channelIdNotUnique")
    harness.clock.advance(by: .seconds(60))
    _ = try await harness.call(.post, "calendars/primary/events", Self.event, token: token)
    await harness.sandbox.notificationsDelivered()
    #expect(receiver.requests.count == 1)
    #expect(try await harness.call(.post, Self.watch, channel(), token: token).status == 200)
  }
}
