import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A server on `127.0.0.1` that answers each connection with exactly the bytes of a script, sound or not.
///
/// A connection is served once: it reads the head of a request, plays the script, and closes.
final class FaultServer: Sendable {
  enum Step: Sendable {
    case send(String)
    case sendBytes([UInt8])
    /// Sends the same bytes until the client has had enough.
    case flood(String)
    /// Sends a byte now and then until the client has had enough.
    case trickle
    /// Waits until the client closes the connection.
    case waitForClient
    /// Closes with a reset instead of an end.
    case reset
  }

  let port: Int
  private let listener: Int32
  private let events: AsyncStream<String>
  private let heads: RequestHeads

  /// The heads of the requests so far.
  var requests: [String] { heads.all }

  convenience init(readsHead: Bool = true, _ script: Step...) { self.init(readsHead: readsHead, script: script) }

  init(readsHead: Bool = true, script: [Step]) {
    let (listener, port) = Self.bindSocket()
    listen(listener, 64)
    self.listener = listener
    self.port = port
    let (events, continuation) = AsyncStream.makeStream(of: String.self)
    self.events = events
    let heads = RequestHeads()
    self.heads = heads
    Thread.detach {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        Thread.detach {
          if readsHead {
            heads.add(Self.readHead(connection))
            continuation.yield("request")
          }
          for step in script { Self.play(step, on: connection) }
          shutdown(connection, Int32(SHUT_WR))
          Self.drain(connection)
          close(connection)
          continuation.yield("closed")
        }
      }
      continuation.finish()
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// Waits until a request has come (`"request"`) or a connection has ended (`"closed"`).
  func wait(for event: String) async {
    for await next in events where next == event { return }
  }

  /// A port that is taken for as long as the process lives, and that nobody listens on.
  static let boundPort: Int? = {
    let (socket, port) = bindSocket()
    return socket >= 0 && port > 0 ? port : nil
  }()

  private static func bindSocket() -> (socket: Int32, port: Int) {
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    let number = socket(AF_INET, type, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // A `sockaddr_in` may be read and written as a `sockaddr`; the size is its own.
    unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = unsafe bind(number, $0, size)
        _ = unsafe getsockname(number, $0, &size)
      }
    }
    return (number, Int(UInt16(bigEndian: address.sin_port)))
  }

  private static func play(_ step: Step, on connection: Int32) {
    switch step {
    case .send(let text): _ = write(Array(text.utf8), to: connection)
    case .sendBytes(let bytes): _ = write(bytes, to: connection)
    case .flood(let text): while write(Array(text.utf8), to: connection) {}
    case .trickle:
      while write([0x61], to: connection) {
        var nobody = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        // One entry, a local.
        _ = unsafe poll(&nobody, 1, 5)
      }
    case .waitForClient: drain(connection)
    case .reset:
      var now = linger(l_onoff: 1, l_linger: 0)
      // The pointer is to a local of the size that is passed.
      _ = unsafe setsockopt(connection, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }
  }

  private static func readHead(_ connection: Int32) -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    // One byte is read into a local of one byte.
    while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]), unsafe recv(connection, &byte, 1, 0) == 1 {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func drain(_ connection: Int32) {
    var byte: UInt8 = 0
    // One byte is read into a local of one byte.
    while unsafe recv(connection, &byte, 1, 0) == 1 {}
  }

  private static func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
    #if canImport(Darwin)
      let flags: Int32 = 0
      var on: Int32 = 1
      // The pointer is to a local of the size that is passed.
      _ = unsafe setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      // The pointer and the count are the slice's own.
      let count = unsafe rest.withUnsafeBytes { unsafe send(connection, $0.baseAddress, $0.count, flags) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

private final class RequestHeads: Sendable {
  private let heads = Mutex<[String]>([])

  var all: [String] { heads.withLock { $0 } }

  func add(_ head: String) { heads.withLock { $0.append(head) } }
}

/// Runs blocking code on threads of its own.
private enum Thread {
  static func detach(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "FaultServer").async(execute: body)
  }
}
