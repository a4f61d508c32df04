// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import TestSupport

/// A connection of a server, on its own thread.
struct HostileConnection {
  let socket: Socket
  let number: Int
  let log: ServerLog
  let readsBody: Bool
  let handler: HostileServer.Handler
  private var unread: ArraySlice<UInt8> = []

  init(socket: Socket, number: Int, log: ServerLog, readsBody: Bool, handler: @escaping HostileServer.Handler) {
    self.socket = socket
    self.number = number
    self.log = log
    self.readsBody = readsBody
    self.handler = handler
  }

  /// Serves requests until the client or a script ends the connection.
  mutating func serve(greeting: [HostileServer.Step]) {
    guard play(greeting) else { return }
    var count = 0
    while let head = readHead() {
      count += 1
      var request = HostileServer.Request(head: head, connection: number, number: count)
      let index = log.began(request)
      if readsBody {
        if request.fields["Expect"] != nil { write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
        guard let body = readBody(of: request) else { return }
        request.body = body
        request.isComplete = true
        log.received(request, at: index)
      }
      guard play(handler(request)) else { return }
    }
  }

  // MARK: Steps

  /// Performs steps.
  ///
  /// Returns `false` if the connection has ended.
  private func play(_ steps: [HostileServer.Step]) -> Bool {
    for step in steps {
      guard play(step) else { return false }
    }
    return true
  }

  private func play(_ step: HostileServer.Step) -> Bool {
    switch step {
    case .send(let bytes): return write(bytes)
    case .dribble(let bytes): return bytes.allSatisfy { write([$0]) }
    case .flood(let bytes, nil):
      // In larger pieces, because the unit may be a few bytes.
      let piece = bytes.repeated(max(1, 65_536 / max(1, bytes.count)))
      while write(piece) {}
    case .flood(let bytes, let rate?):
      let pause = max(1, bytes.count * 1_000 / rate)
      while write(bytes) { socket.waitToRead(milliseconds: pause) }
    case .wait(let gate): return socket.wait(for: gate.waitingEnd)
    case .waitForClient: drain()
    case .close:
      socket.shutDownWriting()
      log.closedByScript()
      drain()
    case .reset: socket.resetOnClose()
    }
    return false
  }

  @discardableResult
  private func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      while !socket.waitToWrite(milliseconds: 200) { log.stalled() }
      guard let count = socket.write(rest) else { return false }
      log.wrote(count)
      rest = rest.dropFirst(count)
    }
    return true
  }

  private func drain() { while !socket.read().isEmpty {} }

  // MARK: Requests

  private mutating func readHead() -> String? {
    var head: [UInt8] = []
    while let byte = readByte() {
      head.append(byte)
      if byte == 10, head.suffix(4).elementsEqual([13, 10, 13, 10]) { return String(decoding: head, as: UTF8.self) }
    }
    return nil
  }

  private mutating func readBody(of request: HostileServer.Request) -> [UInt8]? {
    guard request.fields["Transfer-Encoding"] != nil else {
      return read(request.fields["Content-Length"].flatMap { Int($0) } ?? 0)
    }
    var body: [UInt8] = []
    while let size = readLine().flatMap({ Int($0, radix: 16) }), let chunk = read(size), readLine() == "" {
      body += chunk
      if size == 0 { return body }
    }
    return nil
  }

  private mutating func readLine() -> String? {
    var line: [UInt8] = []
    while let byte = readByte() {
      if byte == 10 { return String(decoding: line.dropLast(), as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }

  private mutating func readByte() -> UInt8? {
    if unread.isEmpty { unread = socket.read()[...] }
    return unread.popFirst()
  }

  private mutating func read(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      if unread.isEmpty { unread = socket.read()[...] }
      guard !unread.isEmpty else { return nil }
      let part = unread.prefix(count - bytes.count)
      bytes += part
      unread = unread.dropFirst(part.count)
    }
    return bytes
  }
}

extension [UInt8] {
  /// Returns the bytes repeated `count` times.
  ///
  /// Joining a sequence of arrays would take a lock of the runtime for each array, for which threads would wait.
  func repeated(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(self.count * count)
    for _ in 0..<count { bytes += self }
    return bytes
  }
}
