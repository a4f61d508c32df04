// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import Timekeeping

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An authorization server and the Calendar API, in this process, over users and calendars that are made up; and below `/meetup` a second provider, which is like Meetup.
///
/// It is strict where real servers are: a client that signs in here signs in correctly. In a test it needs no network,
/// disk or waiting:
///
/// ```swift
/// let sandbox = Sandbox(clock: clock)
/// let transport = sandbox.transport(at: baseURL)          // serves baseURL, without any socket
/// let callback = try sandbox.approve(authorizationURL)    // what the user would do in the browser
/// ```
///
/// ``serve(on:port:)`` serves the same on a loopback address, for a browser or another program. Everything it issues
/// lives in memory, hashed, and is gone with it. Any number of tasks may use one sandbox at the same time.
public final class Sandbox: Sendable {
  /// How the sandbox is set up.
  public let configuration: Configuration

  let clock: any WallClock
  let requests: RequestLog
  let authorization: AuthorizationServer
  let calendars: CalendarServer
  let members: MemberServer

  /// Creates a sandbox.
  ///
  /// The calendars are laid around the clock's present day.
  ///
  /// - Parameters:
  ///   - clock: The clock that lifetimes, `Date` fields and the agenda are judged by.
  ///   - configuration: Clients, user and lifetimes.
  public convenience init(clock: some WallClock = SystemClock(), configuration: Configuration = Configuration()) {
    self.init(
      clock: clock, configuration: configuration, store: CalendarStore(configuration, now: clock.now), journal: nil)
  }

  /// Creates a sandbox that keeps its calendars in a folder.
  ///
  /// Every change is on the disk before the response is sent, so that the calendars survive the end of the process, and a power
  /// cut, at any moment. Tokens, grants and channels do not. After a failure to write, every change gets status 500; reads still
  /// return such changes until the sandbox is created anew.
  ///
  /// - Parameters:
  ///   - folder: The file URL of the folder, made if it is not there; for one process at a time.
  ///   - clock: The clock that lifetimes, `Date` fields and the agenda are judged by.
  ///   - configuration: Clients, users, seed and lifetimes.
  /// - Throws: ``SandboxError`` if the folder cannot be used or is damaged.
  public convenience init(
    keepingIn folder: URL, clock: some WallClock = SystemClock(), configuration: Configuration = Configuration()
  ) throws {
    var store = CalendarStore()
    for user in configuration.accounts { store.add(CalendarAccount(user)) }
    let journal = try CalendarJournal(folder: folder.path(percentEncoded: false), restoring: &store) {
      CalendarStore(configuration, now: clock.now)
    }
    self.init(clock: clock, configuration: configuration, store: store, journal: journal)
  }

  private init(clock: any WallClock, configuration: Configuration, store: CalendarStore, journal: CalendarJournal?) {
    self.clock = clock
    self.configuration = configuration
    configuration.googleCloud?.follow(clock)
    var calendars = store
    // A service account, or a user who is new since the folder was written.
    for user in configuration.accounts where calendars.slot(user.email) == nil { calendars.add(user, now: clock.now) }
    calendars.groups = GroupDirectory(configuration.groups)
    calendars.syncTokens.lifetime = configuration.syncTokenLifetime
    let lock = CalendarStoreLock(calendars)
    requests = RequestLog(clock: clock)
    authorization = AuthorizationServer(configuration: configuration, clock: clock, log: requests) { user in
      lock.withLock { $0.accounts[user] != nil }
    }
    self.calendars = CalendarServer(
      configuration: configuration, clock: clock, log: requests, authorization: authorization, store: lock,
      journal: journal)
    members = MemberServer(configuration: configuration, log: requests, authorization: authorization)
  }

  /// Responds to one request: the whole of the sandbox behind one function, to be mounted on any server.
  ///
  /// Absolute URLs in the responses are made of ``Configuration/issuer``, or else of the origin of the request.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    var response = await route(request)
    if let nonce = authorization.offeredNonce(for: request, response) { response.fields["DPoP-Nonce"] = nonce }
    response.fields["Date"] = HTTPDate.format(clock.now)
    return response
  }

  private func route(_ request: HTTPRequest) async -> HTTPResponse {
    let path = request.url.path(percentEncoded: true)
    if path.hasPrefix(Path.calendar) || path == Path.calendar.dropLast() {
      return await calendars.respond(to: request, path: path.dropFirst(Path.calendar.count))
    }
    if path == Path.batch {
      guard request.method == .post else { return .methodNotAllowed([.post], as: .oauth) }
      return await calendars.respondToBatch(request)
    }
    if configuration.isControllable, path.hasPrefix(Path.control) {
      return controlResponse(to: request, path: path.dropFirst(Path.control.count))
    }
    if let response = await configuration.googleCloud?.response(to: request, path: path, log: requests) {
      return response
    }
    let server = authorization.profile(for: request.url)
    if let route = Route.at(path, self, server) { return await route.respond(self, request, server) }
    requests.count(.other)
    return .page(MessagePage(title: "Not found", message: "There is nothing at this URL.").html, status: 404)
  }
}
