// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import PlatformFoundation
public import Timekeeping

/// An authorization server and the Calendar API, in this process, with fictitious users and calendars.
///
/// Below `/meetup`, the sandbox also serves a second provider, which resembles Meetup.
///
/// The sandbox is as strict as real servers: a client that signs in to it follows the specifications. A test needs no
/// network, no disk and no delays:
///
/// ```swift
/// let sandbox = Sandbox(clock: clock)
/// let transport = sandbox.transport(at: baseURL)          // serves baseURL, without any socket
/// let callback = try sandbox.approve(authorizationURL)    // what the user would do in the browser
/// ```
///
/// ``serve(on:port:)`` serves the sandbox on a loopback address, for a browser or another program. The sandbox keeps issued
/// tokens in memory only, as digests. Any number of tasks can use a sandbox concurrently.
public final class Sandbox: Sendable {
  /// The sandbox's configuration.
  public let configuration: Configuration
  /// The Google Cloud servers, which follow this sandbox's clock, or `nil` without ``Configuration/googleCloud``.
  public let googleCloud: GoogleCloudSandbox?

  let clock: any WallClock
  let requests: RequestLog
  let authorization: AuthorizationServer
  let calendars: CalendarServer
  let members: MemberServer

  /// Creates a sandbox.
  ///
  /// The sample calendars have events around the clock's current day.
  ///
  /// ```swift
  /// let sandbox = Sandbox(clock: clock) { $0.accessTokenLifetime = .seconds(60) }
  /// ```
  ///
  /// - Parameters:
  ///   - clock: The clock for lifetimes, `Date` fields and the sample calendars.
  ///   - change: Changes the default configuration: the clients, users and lifetimes.
  public convenience init(clock: some WallClock = SystemClock(), _ change: (inout Configuration) -> Void) {
    self.init(clock: clock, configuration: Configuration(change))
  }

  /// Creates a sandbox with a configuration shared by several sandboxes.
  ///
  /// - Parameters:
  ///   - clock: The clock for lifetimes, `Date` fields and the sample calendars.
  ///   - configuration: The clients, users and lifetimes.
  public convenience init(clock: some WallClock = SystemClock(), configuration: Configuration = Configuration()) {
    var store = CalendarStore(configuration, now: clock.now)
    store.addMissing(configuration.accounts, now: clock.now)
    self.init(clock: clock, configuration: configuration, store: store, journal: nil)
  }

  /// Creates a sandbox that persists its calendars in a folder.
  ///
  /// Every change is on disk before its response is sent, so the calendars survive a crash or a power failure at any moment.
  /// Tokens, grants and channels are not persisted. After a write fails, every change gets status 500. Reads still return the
  /// failed changes until the sandbox is created again.
  ///
  /// - Parameters:
  ///   - folder: The file URL of the folder, which is created if necessary. One sandbox can use it at a time: it is locked until
  ///     the sandbox is deinitialized or the process ends.
  ///   - clock: The clock for lifetimes, `Date` fields and the sample calendars.
  ///   - configuration: The clients, users, seed and lifetimes. The seed's calendars are for a new folder only. A
  ///     folder keeps the calendars and calendar lists of users missing from the configuration.
  /// - Throws: ``SandboxError`` if another sandbox uses the folder, or if it cannot be used or is damaged.
  public convenience init(
    keepingIn folder: URL, clock: some WallClock = SystemClock(), configuration: Configuration = Configuration()
  ) throws {
    var store = CalendarStore()
    for user in configuration.accounts { store.add(CalendarAccount(user)) }
    let journal = try CalendarJournal(folder: folder.path(percentEncoded: false), restoring: &store) { store, isNew in
      if isNew { store = CalendarStore(configuration, now: clock.now) }
      store.addMissing(configuration.accounts, now: clock.now)
    }
    self.init(clock: clock, configuration: configuration, store: store, journal: journal)
  }

  private init(clock: any WallClock, configuration: Configuration, store: CalendarStore, journal: CalendarJournal?) {
    self.clock = clock
    self.configuration = configuration
    let cloud = configuration.googleCloud.map { GoogleCloudSandbox(clock: clock, configuration: $0) }
    googleCloud = cloud
    var calendars = store
    calendars.groups = GroupDirectory(configuration.groups)
    calendars.syncTokens.lifetime = configuration.syncTokenLifetime
    requests = RequestLog(clock: clock)
    // A folder also has accounts that the configuration does not have.
    let accounts = Set(configuration.accounts.map(\.email))
    authorization = AuthorizationServer(
      configuration: configuration, clock: clock, log: requests, cloud: cloud, hasCalendars: accounts.contains)
    self.calendars = CalendarServer(
      configuration: configuration, clock: clock, log: requests, authorization: authorization,
      store: CalendarStoreLock(calendars), journal: journal)
    members = MemberServer(configuration: configuration, log: requests, authorization: authorization)
  }

  /// Returns the response to a request.
  ///
  /// Use it to mount the sandbox on any server.
  ///
  /// Absolute URLs in responses are based on ``Configuration/issuer``, or on the request's origin if there is none.
  @concurrent public func respond(to request: HTTPRequest) async -> HTTPResponse {
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
    if let response = await googleCloud?.response(to: request, path: path, log: requests) {
      return response
    }
    let server = authorization.profile(for: request.url)
    if let route = Route.at(path, self, server) { return await route.respond(self, request, server) }
    requests.count(.other)
    return .page(MessagePage(title: "Not found", message: "There is nothing at this URL.").html, status: 404)
  }
}
