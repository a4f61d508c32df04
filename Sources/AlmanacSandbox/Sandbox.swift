// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import Synchronization
public import Timekeeping

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
  let signingKey: SigningKeyHolder
  let state: Mutex<State>
  let calendarStore: Mutex<CalendarStore>
  let journal: CalendarJournal?
  let courier: NotificationCourier?
  let faults = Mutex(FaultPlan())
  let callCounter = Mutex(CallCounter())

  /// What changes while the sandbox runs.
  struct State {
    /// What each authorization server has asked and issued.
    var issued: [AuthorizationServer.Realm: Issued] = [:]
    /// The clients that have registered themselves.
    var registered: [String: RegisteredEntry] = [:]
    /// The sessions of the users who have authenticated and not signed out, by their e-mail addresses.
    var sessions: [String: UserSession] = [:]
    /// What is remembered of proofs of possession.
    var proofs = ProofStore()
    var requestCounts: [Endpoint: Int] = [:]
    var refreshRequestCount = 0
    var log: [LogEntry] = []
  }

  struct Issued {
    var consents = ConsentStore()
    var grants = GrantStore()
    var devices = DeviceStore()
    var backchannel = DeviceStore()
    var pushed = PushedRequests()
    /// The assertions that were presented.
    var assertions = ExpiringTable<Bool>()
  }

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
  ///   - folder: The path of the folder, made if it is not there; for one process at a time.
  ///   - clock: The clock that lifetimes, `Date` fields and the agenda are judged by.
  ///   - configuration: Clients, users, seed and lifetimes.
  /// - Throws: ``SandboxError`` if the folder cannot be used or is damaged.
  public convenience init(
    keepingIn folder: String, clock: some WallClock = SystemClock(), configuration: Configuration = Configuration()
  ) throws {
    var store = CalendarStore()
    for user in configuration.accounts { store.add(CalendarAccount(user)) }
    let journal = try CalendarJournal(folder: folder, restoring: &store) {
      CalendarStore(configuration, now: clock.now)
    }
    self.init(clock: clock, configuration: configuration, store: store, journal: journal)
  }

  private init(clock: any WallClock, configuration: Configuration, store: CalendarStore, journal: CalendarJournal?) {
    self.clock = clock
    self.configuration = configuration
    self.journal = journal
    configuration.googleCloud?.follow(clock)
    courier = configuration.notificationTransport.map { NotificationCourier(transport: $0, clock: clock) }
    signingKey = SigningKeyHolder(algorithm: configuration.idTokenAlgorithm)
    state = Mutex(State())
    var store = store
    // A service account, or a user who is new since the folder was written.
    for user in configuration.accounts where store.slot(user.email) == nil { store.add(user, now: clock.now) }
    store.groups = GroupDirectory(configuration.groups)
    store.syncTokens.lifetime = configuration.syncTokenLifetime
    calendarStore = Mutex(store)
  }

  /// Responds to one request: the whole of the sandbox behind one function, to be mounted on any server.
  ///
  /// Absolute URLs in the responses are made of ``Configuration/issuer``, or else of the origin of the request.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    var response = await route(request)
    if let nonce = offeredNonce(for: request, response) { response.fields["DPoP-Nonce"] = nonce }
    response.fields["Date"] = HTTPDate.format(clock.now)
    return response
  }
}

extension Sandbox {
  func record(_ kind: LogEntry.Kind, client: String? = nil, _ detail: String = "") {
    let entry = LogEntry(time: clock.now, kind: kind, client: client, detail: detail)
    state.withLock { state in
      state.log.append(entry)
      if state.log.count > 10_000 { state.log.removeFirst(1000) }
    }
  }
}
