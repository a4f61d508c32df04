import Almanac
import AlmanacSandbox
import CalendarAPI
import HTTPTransport
import HexColor
import LoopbackHTTP
import OAuthCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SystemsDemo.System {
  static let fourVerbs = Self(
    name: "Spanish tutorial, part 4",
    replaces: "one method for each of GET, POST, PUT and DELETE, a table of calendars in their colours, two buttons"
  ) { context, claims in
    try await DemoWorld.with(scopes: [.calendar]) { world in
      try await world.google.authorize()
      try await useVerbs(world, &claims)
      try await showList(world, context, &claims)
      try await refuse(world, &claims)
    }
    try await usePage(context, &claims)
  }

  /// A calendar, as much of it as is needed here.
  private struct SharedCalendar: Codable {
    var id: String?
    var summary: String
    var description: String?
  }

  /// How Google's APIs say no.
  private struct GoogleRefusal: Decodable {
    struct Fault: Decodable {
      struct Item: Decodable { let reason: String }
      let errors: [Item]
    }
    let error: Fault
  }

  private static func useVerbs(_ world: DemoWorld, _ claims: inout Claims) async throws {
    let http = world.google.transport()
    let calendars = world.server.url.appending(path: "calendar/v3/calendars")
    let made: SharedCalendar = try await http.call(
      .post, calendars, body: .json(SharedCalendar(summary: "Ruta & café", description: "a = b")))
    guard let id = made.id, let segment = FormEncoding.pathSegment(id),
      let one = URL(string: "\(calendars.absoluteString)/\(segment)")
    else { throw DemoFailure("POST answers with an identifier") }
    try claims.check(made.summary == "Ruta & café", "POST makes a calendar")
    let read: SharedCalendar = try await http.call(.get, one)
    try claims.check(read.description == "a = b", "GET reads it")
    let replaced: SharedCalendar = try await http.call(.put, one, body: .json(SharedCalendar(summary: "Ruta")))
    try claims.check(replaced.summary == "Ruta" && replaced.description == nil, "PUT replaces it")
    let patched: SharedCalendar = try await http.call(
      .patch, one, body: .json(["description": "cada domingo"]))
    try claims.check(patched.summary == "Ruta" && patched.description == "cada domingo", "PATCH changes a part of it")
    let none: SharedCalendar? = try await http.call(.delete, one)
    try claims.check(none == nil, "DELETE removes it, and its empty answer is no error")
    try await claims.check("and then it is not found") {
      try await http.call(.get, one)
    } with: { (error: CallError) in
      error.response?.status == 404
    }
  }

  private static func showList(_ world: DemoWorld, _ context: Context, _ claims: inout Claims) async throws {
    let list = try await PaintedCalendars(world.google.calendar)
    try claims.check(
      !list.entries.isEmpty && list.entries.allSatisfy { $0.backgroundColor != nil },
      "\(list.entries.count) calendars, each in its own colour")
    try claims.check(
      RGBColor(hex: nil, default: .white) == .white && RGBColor(hex: "+f0f0f", default: .white) == .white,
      "a colour that is missing or malformed is the default")
    if !context.isJSON { list.write(to: context.terminal) }
  }

  private static func refuse(_ world: DemoWorld, _ claims: inout Claims) async throws {
    let reader = try world.account(
      DemoWorld.browser(), name: "reader", scopes: [.calendarReadOnly])
    try await reader.authorize()
    let calendars = world.server.url.appending(path: "calendar/v3/calendars")
    try await claims.check("who may only read is refused with the reason insufficientPermissions") {
      try await reader.transport().call(.post, calendars, body: .json(["summary": "x"]))
    } with: { (error: CallError) in
      error.answer(as: GoogleRefusal.self)?.error.errors.first?.reason == "insufficientPermissions"
    }
  }

  /// The page with Grant and Revoke, as a browser uses it.
  private static func usePage(_ context: Context, _ claims: inout Claims) async throws {
    try await DemoWorld.with(userAgent: nil) { world in
      let site = WebSite(world: world)
      let server = try await LoopbackServer.start { await site.answer($0) }
      do {
        await site.start(at: server.url)
        var visitor = PageVisitor(base: server.url)
        try await visitor.get(await site.entrance)
        try await visitor.get(server.url)
        try claims.check(visitor.page.contains(#"id="grant""#), "a browser page shows a button to grant")
        let consent = try await visitor.press("grant")
        try await visitor.get(try await ConsentVisitor.answer(consent))
        try await visitor.get(server.url)
        try claims.check(
          visitor.page.contains(#"id="revoke""#) && visitor.page.contains("background:#"),
          "then the calendars in their colours, and a button to revoke")
        _ = try await visitor.press("revoke")
        try await visitor.get(server.url)
        let isGone = try await world.google.authorization.storedToken == nil
        try claims.check(visitor.page.contains(#"id="grant""#) && isGone, "and after that nobody is signed in")
      } catch {
        await server.stop()
        throw error
      }
      await server.stop()
    }
  }
}
