// SPDX-License-Identifier: Apache-2.0

import CLibpq
import Support
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An attempt to open a connection, on a thread of its own.
///
/// libpq resolves names and reads password files in blocking calls, and a TLS handshake takes milliseconds of processor time. The loop's
/// thread, which serves the other connections, does none of this.
final class ConnectionAttempt: Sendable {
  private let configuration: PostgreSQLConfiguration
  private let deadline: ContinuousClock.Instant
  private let isStopped = Atomic(false)

  init(_ configuration: PostgreSQLConfiguration, deadline: ContinuousClock.Instant) {
    self.configuration = configuration
    self.deadline = deadline
  }

  /// Makes ``run()`` return soon.
  func stop() { isStopped.store(true, ordering: .relaxed) }

  /// Connects to the first server that accepts writes.
  ///
  /// Blocks.
  func run() -> Result<Session, PostgreSQLError> {
    do throws(PostgreSQLError) {
      try Libpq.load()
      return .success(try connect(to: configuration.servers()))
    } catch {
      return .failure(error)
    }
  }

  private func connect(to servers: [PostgreSQLConfiguration.Server]) throws(PostgreSQLError) -> Session {
    var last: PostgreSQLError?
    for (index, server) in servers.enumerated() {
      let now = ContinuousClock.now
      // Each server gets an equal share of the remaining time, so one that does not respond leaves time for the others.
      let share = (deadline - now) / (servers.count - index)
      do throws(PostgreSQLError) {
        return try connect(to: server, until: now + share)
      } catch {
        // Another server may accept a connection that this one rejects, so with several servers the next one is tried after any error.
        guard error.isRetryable || servers.count > 1 else { throw error }
        last = error
      }
    }
    throw last ?? PostgreSQLError(.invalidConfiguration, "The configuration names no server.")
  }

  private func connect(
    to server: PostgreSQLConfiguration.Server, until end: ContinuousClock.Instant
  ) throws(PostgreSQLError) -> Session {
    switch open(server, until: end) {
    case .opened(let connection): return unsafe Session(owning: connection, place: server.place, isPooled: false)
    case .failed(let reason):
      // PgBouncer rejects unknown session parameters.
      guard reason.contains("unsupported startup parameter"), server.options["options"] != nil else {
        throw PostgreSQLError(connecting: reason, to: server.place, hiding: server.secrets)
      }
      var server = server
      server.options["options"] = nil
      guard case .opened(let connection) = open(server, until: end) else {
        throw PostgreSQLError(connecting: reason, to: server.place, hiding: server.secrets)
      }
      return unsafe Session(owning: connection, place: server.place, isPooled: true)
    }
  }

  @safe private enum Opening {
    case opened(OpaquePointer)
    case failed(String)
  }

  private func open(_ server: PostgreSQLConfiguration.Server, until end: ContinuousClock.Instant) -> Opening {
    guard let connection = unsafe start(server.options) else { return .failed("out of memory") }
    // The error then contains the server's code.
    _ = unsafe almanac_PQsetErrorVerbosity(connection, UInt32(ALMANAC_ERRORS_VERBOSE))
    // libpq would print notices.
    _ = unsafe almanac_PQsetNoticeProcessor(connection, { _, _ in }, nil)
    var wanted = UInt32(ALMANAC_POLLING_WRITING)
    while wanted != UInt32(ALMANAC_POLLING_OK) {
      if unsafe almanac_PQstatus(connection) == UInt32(ALMANAC_CONNECTION_BAD)
        || wanted == UInt32(ALMANAC_POLLING_FAILED)
      {
        return unsafe abandon(connection, String(cString: almanac_PQerrorMessage(connection)))
      }
      guard !isStopped.load(ordering: .relaxed) else { return unsafe abandon(connection, "stopped") }
      guard ContinuousClock.now < end else { return unsafe abandon(connection, "no response in time") }
      let readiness = wanted == UInt32(ALMANAC_POLLING_READING) ? POLLIN : POLLOUT
      var entry = pollfd(fd: unsafe almanac_PQsocket(connection), events: Int16(readiness), revents: 0)
      // One entry, a local. The wait is short, so that the attempt can be stopped.
      let isReady = unsafe poll(&entry, 1, 50) > 0
      if isReady { wanted = unsafe almanac_PQconnectPoll(connection) }
    }
    return unsafe .opened(connection)
  }

  private func start(_ options: [String: String]) -> OpaquePointer? {
    var texts = unsafe [UnsafeMutablePointer<CChar>?]()
    defer { unsafe texts.forEach { unsafe free($0) } }
    func list(_ strings: some Sequence<String>) -> [UnsafePointer<CChar>?] {
      unsafe strings.map { string in
        let copy = unsafe strdup(string)
        unsafe texts.append(copy)
        return unsafe UnsafePointer(copy)
      } + [nil]
    }
    // Safe: both lists end with NULL and are copied by the call.
    return unsafe almanac_PQconnectStartParams(list(options.keys), list(options.values), 0)
  }

  private func abandon(_ connection: OpaquePointer, _ reason: String) -> Opening {
    unsafe almanac_PQfinish(connection)
    return .failed(reason)
  }
}
