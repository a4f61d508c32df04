import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Moves the bytes of every connection of one server. All of it happens on the thread that calls ``run()``.
final class EventLoop {
  private var listener: FileDescriptor?
  private let base: String
  private let authorities: Set<String>
  private let limits: LoopbackServer.Limits
  private let mailbox: Mailbox
  private let handler: LoopbackServer.Handler

  private var connections: [Int: Connection] = [:]
  private var lastID = 0
  private var scratch = [UInt8](repeating: 0, count: 64 * 1024)
  private var now = ContinuousClock.now
  private var stopDeadline: ContinuousClock.Instant?
  /// When to accept again after the system had no descriptor left.
  private var acceptPause: ContinuousClock.Instant?

  init(
    listener: consuming FileDescriptor, port: Int, family: LoopbackServer.Family, limits: LoopbackServer.Limits,
    mailbox: Mailbox, handler: @escaping LoopbackServer.Handler
  ) {
    self.listener = consume listener
    base = "http://\(family.host):\(port)"
    let names = ["127.0.0.1", "[::1]", "localhost"]
    // RFC 9110 § 7.2: the default port may be left out.
    authorities = Set(names.map { "\($0):\(port)" } + (port == 80 ? names : []))
    self.limits = limits
    self.mailbox = mailbox
    self.handler = handler
  }

  /// Serves until the mailbox says to stop.
  func run() {
    while true {
      now = .now
      let contents = mailbox.take()
      for (id, response) in contents.answers {
        if let connection = connections[id] { answer(response, on: connection) }
      }
      if let gracePeriod = contents.gracePeriod, prepareToStop(gracePeriod) { break }
      expire()
      wait()
    }
    for connection in connections.values { connection.cancelHandler() }
    connections = [:]
    mailbox.markStopped()
  }

  /// Closes what is not owed an answer.
  ///
  /// - Returns: Whether nothing is left to wait for.
  private func prepareToStop(_ gracePeriod: Duration) -> Bool {
    listener = nil
    stopDeadline = min(stopDeadline ?? now + gracePeriod, now + gracePeriod)
    for connection in connections.values where !connection.isAnswering { close(connection) }
    for connection in connections.values { connection.closesAfterAnswer = true }
    return connections.isEmpty || stopDeadline.map { $0 <= now } ?? false
  }

  // MARK: Waiting

  private func wait() {
    var entries = [pollfd(fd: mailbox.wakeDescriptor, events: Int16(POLLIN), revents: 0)]
    entries.append(pollfd(fd: acceptableListener, events: Int16(POLLIN), revents: 0))
    var polled: [Connection] = []
    for connection in connections.values {
      guard let interest = connection.interest else { continue }
      entries.append(pollfd(fd: connection.socket.number, events: Int16(interest), revents: 0))
      polled.append(connection)
    }
    let deadline = ([stopDeadline, acceptPause] + connections.values.map(\.deadline)).compactMap(\.self).min()
    let timeout = deadline.map { ($0 - .now).roundedUpToMilliseconds } ?? -1
    // The array is the call's alone while it lasts, and its own count goes with it.
    let count = unsafe poll(&entries, nfds_t(entries.count), timeout)
    now = .now
    guard count > 0 else { return }
    for (connection, entry) in zip(polled, entries.dropFirst(2)) where entry.revents != 0 { serve(connection) }
    if entries[1].revents != 0 { acceptConnections() }
  }

  /// The listener, or -1, which poll(2) skips, while no connection can be taken.
  private var acceptableListener: Int32 {
    if let acceptPause {
      guard acceptPause <= now else { return -1 }
      self.acceptPause = nil
    }
    guard hasRoom else { return -1 }
    switch listener {
    case .some(let listener): return listener.number
    case .none: return -1
    }
  }

  /// Whether one more connection can be taken, be it in the place of an idle one.
  private var hasRoom: Bool {
    connections.count < limits.connections || connections.values.contains(where: \.isIdle)
  }

  private func acceptConnections() {
    while hasRoom, let result = accept() {
      switch result {
      case .success(let number):
        if connections.count >= limits.connections { closeLongestIdle() }
        lastID += 1
        let parser = RequestParser(limits: limits, authorities: authorities)
        let connection = Connection(id: lastID, socket: FileDescriptor(number), parser: parser)
        connection.deadline = now + limits.idleTimeout
        connections[lastID] = connection
      case .failure(let error):
        switch error.value {
        case EINTR, ECONNABORTED: continue
        case EAGAIN, EWOULDBLOCK: return
        default:
          acceptPause = now + .milliseconds(100)
          return
        }
      }
    }
  }

  private func closeLongestIdle() {
    let idle = connections.values.filter(\.isIdle)
    if let longest = idle.min(by: { ($0.deadline ?? now) < ($1.deadline ?? now) }) { close(longest) }
  }

  private func accept() -> Result<Int32, ErrorNumber>? {
    switch listener {
    case .some(let listener): acceptConnection(listener)
    case .none: nil
    }
  }

  private func expire() {
    for connection in connections.values {
      guard let deadline = connection.deadline, deadline <= now else { continue }
      if case .reading = connection.phase, connection.isInsideRequest {
        refuse(RequestFault(408, "The request took too long to arrive."), on: connection)
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

  /// Takes the next request out of what has come, if the connection is ready for one.
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
    guard let url = URL(string: base + message.head.target) else {
      return refuse(RequestFault(400, "The request target is malformed."), on: connection)
    }
    var request = HTTPRequest(message.head.method, url, fields: message.head.fields, body: message.body)
    if request.fields["Transfer-Encoding"] != nil {  // RFC 9112 § 7.1.3
      request.fields["Transfer-Encoding"] = nil
      request.fields["Content-Length"] = String(message.body?.count ?? 0)
    }
    connection.method = message.head.method
    connection.closesAfterAnswer = message.head.asksToClose
    connection.isInsideRequest = false
    connection.deadline = nil
    connection.phase = .handling(
      Task { [mailbox, handler, request, id = connection.id] in
        mailbox.post(await handler(request), for: id)
      })
  }

  private func refuse(_ fault: RequestFault, on connection: Connection) {
    connection.method = nil
    connection.closesAfterAnswer = true
    let fields: HTTPFields = ["Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff"]
    answer(HTTPResponse(status: fault.status, fields: fields, body: Array("\(fault.reason)\n".utf8)), on: connection)
  }

  private func answer(_ response: HTTPResponse, on connection: Connection) {
    if response.asksToClose { connection.closesAfterAnswer = true }
    connection.phase = .writing
    connection.deadline = now + limits.requestTimeout
    connection.enqueue(response.encoded(answering: connection.method, closes: connection.closesAfterAnswer))
    flush(connection)
  }

  private func flush(_ connection: Connection) {
    switch connection.flush() {
    case .blocked: return
    case .lost: close(connection)
    case .done where connection.hasEnded || stopDeadline != nil: close(connection)
    case .done where connection.closesAfterAnswer:
      _ = shutdown(connection.socket.number, Int32(SHUT_WR))
      connection.phase = .draining
      connection.deadline = now + .seconds(1)
    case .done:
      connection.phase = .reading
      connection.isInsideRequest = false
      connection.deadline = now + limits.idleTimeout
      readOn(connection)
    }
  }

  private func close(_ connection: Connection) {
    connection.cancelHandler()
    connections[connection.id] = nil
  }
}

extension Duration {
  /// For poll(2): at least zero, at most a day.
  fileprivate var roundedUpToMilliseconds: Int32 {
    guard self > .zero else { return 0 }
    let (seconds, attoseconds) = components
    return seconds >= 86_400 ? 86_400_000 : Int32(seconds * 1_000 + attoseconds / 1_000_000_000_000_000) + 1
  }
}
