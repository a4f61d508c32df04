// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation
import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The loop that transfers the bytes of every connection of one server.
///
/// All of it runs on the thread that calls ``run()``.
///
/// The cost of an event does not depend on the number of connections: ``update(_:)`` records the state of a connection after each of
/// its changes, so the loop never examines all connections.
final class EventLoop {
  /// The identifier of the mailbox's pipe in the readiness set.
  ///
  /// The caller adds it.
  static let wakeID = 0
  private static let listenerID = 1

  private var listener: FileDescriptor?
  private let base: String
  private let authorities: Set<String>
  private let limits: LoopbackServer.Limits
  private let clients: LoopbackServer.Clients
  private let mailbox: Mailbox
  private let readiness: ReadinessSet
  private let rejected: LoopbackServer.RejectionHandler
  private let handler: LoopbackServer.Handler

  private var connections: [Int: Connection] = [:]
  private var lastID = EventLoop.listenerID
  private var deadlines = DeadlineQueue<Int, ContinuousClock.Instant>()
  /// The deadlines of the connections that wait for a request.
  private var idle = DeadlineQueue<Int, ContinuousClock.Instant>()
  private var isListenerWatched = false
  private var ready: [ReadyDescriptor] = []
  private var scratch = [UInt8](repeating: 0, count: 64 * 1024)
  private var now = ContinuousClock.now
  private var stopDeadline: ContinuousClock.Instant?
  /// The instant at which accepting resumes after the system ran out of descriptors.
  private var acceptPause: ContinuousClock.Instant?

  init(
    listener: consuming FileDescriptor, port: Int, family: LoopbackServer.Family, limits: LoopbackServer.Limits,
    clients: LoopbackServer.Clients, mailbox: Mailbox, readiness: ReadinessSet,
    rejected: @escaping LoopbackServer.RejectionHandler, handler: @escaping LoopbackServer.Handler
  ) {
    self.listener = consume listener
    base = "http://\(family.host):\(port)"
    authorities = LoopbackServer.authorities(port: port)
    self.limits = limits
    self.clients = clients
    self.mailbox = mailbox
    self.readiness = readiness
    self.rejected = rejected
    self.handler = handler
  }

  /// Serves until the mailbox requests a stop.
  func run() {
    while true {
      now = .now
      let contents = mailbox.take()
      for (id, response) in contents.responses {
        guard let connection = connections[id] else { continue }
        send(response, on: connection)
        update(connection)
      }
      if let gracePeriod = contents.gracePeriod, prepareToStop(gracePeriod) { break }
      expire()
      wait()
    }
    for connection in connections.values { connection.cancelHandler() }
    connections = [:]
    mailbox.markStopped()
  }

  /// Closes the connections not awaiting a response.
  ///
  /// - Returns: Whether nothing is left to wait for.
  private func prepareToStop(_ gracePeriod: Duration) -> Bool {
    watchListener(false)
    listener = nil
    stopDeadline = min(stopDeadline ?? now + gracePeriod, now + gracePeriod)
    for connection in connections.values where !connection.isAnswering { close(connection) }
    for connection in connections.values { connection.closesAfterResponse = true }
    return connections.isEmpty || stopDeadline.map { $0 <= now } ?? false
  }

  // MARK: Waiting

  private func wait() {
    watchListener(canAccept)
    let deadline = [stopDeadline, acceptPause, deadlines.earliest()?.deadline].compactMap(\.self).min()
    readiness.wait(milliseconds: deadline.map { ($0 - .now).millisecondsToWait } ?? -1, into: &ready)
    now = .now
    for entry in ready {
      guard let connection = connections[entry.id] else { continue }
      serve(connection)
      update(connection)
    }
    if ready.contains(where: { $0.id == Self.listenerID }) { acceptConnections() }
  }

  private var canAccept: Bool {
    if let acceptPause {
      guard acceptPause <= now else { return false }
      self.acceptPause = nil
    }
    return hasRoom
  }

  /// Whether one more connection can be accepted, including in place of an idle one.
  private var hasRoom: Bool { connections.count < limits.connections || idle.count > 0 }

  private func watchListener(_ isWanted: Bool) {
    guard isWanted != isListenerWatched else { return }
    switch listener {
    case .none: return
    case .some(let listener):
      if isWanted {
        guard readiness.add(listener.number, .reading, id: Self.listenerID) else { return pauseAccepting() }
      } else {
        readiness.remove(listener.number)
      }
    }
    isListenerWatched = isWanted
  }

  /// Records the awaited events of a connection.
  ///
  /// Call it after each change possibly affecting these events.
  private func update(_ connection: Connection) {
    let id = connection.id
    guard connections[id] != nil else { return }
    deadlines[id] = connection.deadline
    idle[id] = connection.isIdle ? connection.deadline : nil
    switch (connection.watched, connection.interest) {
    case (nil, nil): break
    case (nil, let readiness?):
      guard self.readiness.add(connection.socket.number, readiness, id: id) else { return close(connection) }
    case (let old?, let new?): if new != old { readiness.change(connection.socket.number, new, id: id) }
    case (_?, nil): readiness.remove(connection.socket.number)
    }
    connection.watched = connection.interest
  }

  private func acceptConnections() {
    while hasRoom, let result = accept() {
      switch result {
      case .success(let number):
        if connections.count >= limits.connections { closeLongestIdle() }
        lastID += 1
        let parser = RequestParser(limits: limits, authorities: authorities)
        let connection = Connection(id: lastID, socket: FileDescriptor(owning: number), parser: parser)
        connection.isOfAnotherUser = isOfAnotherUser(connection)
        connection.deadline = now + limits.idleTimeout
        connections[lastID] = connection
        update(connection)
      case .failure(let error):
        // After the other errors, connections may still be waiting, and the listener stays ready.
        if ![EAGAIN, EINTR, ECONNABORTED].contains(error.value) { pauseAccepting() }
        return
      }
    }
  }

  /// Stops accepting for a while: the system has no descriptor or memory left.
  private func pauseAccepting() { acceptPause = now + limits.acceptPause }

  private func isOfAnotherUser(_ connection: Connection) -> Bool {
    clients == .thisUser && !PeerUser(ofConnection: connection.socket.number).isOfThisUser
  }

  private func closeLongestIdle() {
    if let (id, _) = idle.earliest(), let connection = connections[id] { close(connection) }
  }

  private func accept() -> Result<Int32, ErrorNumber>? {
    switch listener {
    case .some(let listener): acceptConnection(listener)
    case .none: nil
    }
  }

  private func expire() {
    while let id = deadlines.removeEarliest(dueAt: now) {
      guard let connection = connections[id] else { continue }
      if case .reading = connection.phase, connection.isInsideRequest {
        refuse(RequestFault(408, "The request took too long to arrive."), on: connection)
        update(connection)
      } else {
        close(connection)
      }
    }
  }

  // MARK: One connection

  private func serve(_ connection: Connection) {
    if case .writing = connection.phase { return flush(connection) }
    switch connection.receive(into: &scratch) {
    case .nothing: break
    case .lost: close(connection)
    case .end:
      guard connection.isAnswering else { return close(connection) }
      connection.hasEnded = true
      connection.cancelHandler()
    case .bytes(let count):
      if case .draining = connection.phase { return }
      connection.parser.append(scratch[..<count])
      readOn(connection)
    }
  }

  /// Parses the next request from the received bytes, if the connection is ready for one.
  private func readOn(_ connection: Connection) {
    guard case .reading = connection.phase else { return }
    do throws(RequestFault) {
      if let message = try connection.parser.next() { return handle(message, on: connection) }
    } catch {
      return refuse(error, on: connection)
    }
    if connection.parser.takeContinue() {
      connection.enqueue(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
      guard connection.flush() == .done else { return close(connection) }
    }
    if connection.parser.isInsideRequest, !connection.isInsideRequest {
      connection.isInsideRequest = true
      connection.deadline = now + limits.requestTimeout
    }
  }

  private func handle(_ message: RequestParser.Message, on connection: Connection) {
    if connection.isOfAnotherUser {
      return refuse(
        RequestFault(403, "This server is for the user who started it. Use a program of that user."), on: connection)
    }
    guard let url = URL(string: base + message.head.target) else {
      return refuse(RequestFault(400, "The request target is malformed."), on: connection)
    }
    var request = HTTPRequest(message.head.method, url, fields: message.head.fields, body: message.body)
    if request.fields["Transfer-Encoding"] != nil {  // RFC 9112 § 7.1.3
      request.fields["Transfer-Encoding"] = nil
      request.fields["Content-Length"] = String(message.body?.count ?? 0)
    }
    connection.method = message.head.method
    connection.closesAfterResponse = message.head.asksToClose
    connection.deadline = nil
    connection.phase = .handling(
      Task { [mailbox, handler, request, id = connection.id] in
        mailbox.post(await handler(request), for: id)
      })
  }

  private func refuse(_ fault: RequestFault, on connection: Connection) {
    rejected(fault.status, fault.reason)
    connection.method = nil
    connection.closesAfterResponse = true
    let fields: HTTPFields = ["Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff"]
    send(HTTPResponse(status: fault.status, fields: fields, body: Array("\(fault.reason)\n".utf8)), on: connection)
  }

  private func send(_ response: HTTPResponse, on connection: Connection) {
    if response.asksToClose { connection.closesAfterResponse = true }
    connection.phase = .writing
    connection.deadline = now + limits.requestTimeout
    connection.enqueue(response.encoded(for: connection.method, closes: connection.closesAfterResponse))
    flush(connection)
  }

  private func flush(_ connection: Connection) {
    switch connection.flush() {
    case .blocked: return
    case .lost: close(connection)
    case .done where connection.hasEnded || stopDeadline != nil: close(connection)
    case .done where connection.closesAfterResponse:
      _ = shutdown(connection.socket.number, Int32(SHUT_WR))
      connection.phase = .draining
      connection.deadline = now + limits.drainTimeout
    case .done:
      connection.phase = .reading
      connection.isInsideRequest = false
      connection.deadline = now + limits.idleTimeout
      readOn(connection)
    }
  }

  private func close(_ connection: Connection) {
    connection.cancelHandler()
    if connection.watched != nil { readiness.remove(connection.socket.number) }
    connection.watched = nil
    connections[connection.id] = nil
    deadlines[connection.id] = nil
    idle[connection.id] = nil
  }
}
