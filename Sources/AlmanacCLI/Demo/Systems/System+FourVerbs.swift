// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import CalendarAPI
import HTTPTransport
import HexColor
import LoopbackHTTP
import OAuthCore
import PlatformFoundation

extension SystemsDemo.System {
  static let fourVerbs = Self(
    name: "Spanish tutorial, part 4",
    replaces: "one method for each of GET, POST, PUT and DELETE, a table of calendars in their colours, two buttons"
  ) { context, checks in
    try await DemoEnvironment.with(scopes: [.calendar]) { demo in
      try await demo.google.authorize()
      try await useVerbs(demo, &checks)
      try await showList(demo, context, &checks)
      try await refuse(demo, &checks)
    }
    try await usePage(context, &checks)
  }

  /// The members of a calendar in the demonstration.
  private struct SharedCalendar: Codable {
    var id: String?
    var summary: String
    var description: String?
  }

  /// The error body of Google's APIs.
  private struct GoogleRefusal: Decodable {
    struct Fault: Decodable {
      struct Item: Decodable { let reason: String }
      let errors: [Item]
    }
    let error: Fault
  }

  private static func useVerbs(_ demo: DemoEnvironment, _ checks: inout Checks) async throws {
    let http = demo.google.transport()
    let calendars = demo.server.url.appending(path: "calendar/v3/calendars")
    let made: SharedCalendar = try await http.call(
      .post, calendars, body: .json(SharedCalendar(summary: "Ruta & café", description: "a = b")))
    guard let id = made.id, let segment = FormEncoding.pathSegment(id),
      let one = URL(string: "\(calendars.absoluteString)/\(segment)")
    else { throw DemoFailure("the response to POST has an identifier") }
    try checks.expect(made.summary == "Ruta & café", "POST makes a calendar")
    let read: SharedCalendar = try await http.call(.get, one)
    try checks.expect(read.description == "a = b", "GET reads it")
    let replaced: SharedCalendar = try await http.call(.put, one, body: .json(SharedCalendar(summary: "Ruta")))
    try checks.expect(replaced.summary == "Ruta" && replaced.description == nil, "PUT replaces it")
    let patched: SharedCalendar = try await http.call(
      .patch, one, body: .json(["description": "cada domingo"]))
    try checks.expect(patched.summary == "Ruta" && patched.description == "cada domingo", "PATCH changes a part of it")
    let none: SharedCalendar? = try await http.call(.delete, one)
    try checks.expect(none == nil, "DELETE removes it, and its empty response is no error")
    try await checks.expect("and then it is not found") {
      try await http.call(.get, one)
    } with: { (error: CallError) in
      error.response?.status == 404
    }
  }

  private static func showList(_ demo: DemoEnvironment, _ context: Context, _ checks: inout Checks) async throws {
    let list = try await PaintedCalendars(demo.google.calendar)
    try checks.expect(
      !list.entries.isEmpty && list.entries.allSatisfy { $0.backgroundColor != nil },
      "\(list.entries.count) calendars, each in its own colour")
    try checks.expect(
      RGBColor(hex: nil, default: .white) == .white && RGBColor(hex: "+f0f0f", default: .white) == .white,
      "a colour that is missing or malformed is the default")
    if !context.isJSON { list.write(to: context.terminal) }
  }

  private static func refuse(_ demo: DemoEnvironment, _ checks: inout Checks) async throws {
    let reader = try demo.account(
      DemoEnvironment.browser(), account: "reader", scopes: [.calendarReadOnly])
    try await reader.authorize()
    let calendars = demo.server.url.appending(path: "calendar/v3/calendars")
    try await checks.expect("a request beyond the granted scopes is refused with the reason insufficientPermissions") {
      try await reader.transport().call(.post, calendars, body: .json(["summary": "x"]))
    } with: { (error: CallError) in
      error.body(as: GoogleRefusal.self)?.error.errors.first?.reason == "insufficientPermissions"
    }
  }

  /// Sends the requests of a browser whose user clicks Grant and then Revoke on the page.
  private static func usePage(_ context: Context, _ checks: inout Checks) async throws {
    try await DemoEnvironment.with(userAgent: nil) { demo in
      let site = WebSite(demo: demo)
      let server = try await LoopbackServer.start { await site.respond(to: $0) }
      do {
        await site.start(at: server.url)
        var visitor = PageVisitor(base: server.url)
        try await visitor.get(await site.entrance)
        try await visitor.get(server.url)
        try checks.expect(visitor.page.contains(#"id="grant""#), "a browser page shows a button to grant")
        let consent = try await visitor.press("grant")
        try await visitor.get(try await ConsentVisitor.decide(consent))
        try await visitor.get(server.url)
        try checks.expect(
          visitor.page.contains(#"id="revoke""#) && visitor.page.contains("background:#"),
          "then the calendars in their colours, and a button to revoke")
        _ = try await visitor.press("revoke")
        try await visitor.get(server.url)
        let isGone = try await demo.google.oauthAccount.storedToken == nil
        try checks.expect(visitor.page.contains(#"id="grant""#) && isGone, "and after that no account is signed in")
      } catch {
        await server.stop()
        throw error
      }
      await server.stop()
    }
  }
}
