// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Support

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// The address and port of a socket, as `/proc/net/tcp` writes them (proc_pid_net(5)).
  package struct SocketName: Sendable, Hashable {
    /// The forms in the tables of IPv4 and IPv6.
    let forms: [[UInt8]]

    /// Creates the name of an IPv4 socket from four bytes and a port.
    package init(ipv4 address: [UInt8], port: UInt16) {
      let (v4, port) = (Self.words(address), Self.hexadecimal(port, digits: 4))
      let mapped = Self.words([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] + address)
      forms = [v4, mapped].map { Array("\($0):\(port)".utf8) }
    }

    /// Creates the name of an IPv6 socket from sixteen bytes and a port.
    package init(ipv6 address: [UInt8], port: UInt16) {
      forms = [Array("\(Self.words(address)):\(Self.hexadecimal(port, digits: 4))".utf8)]
    }

    /// Formats each four bytes as a number in this machine's byte order.
    private static func words(_ bytes: [UInt8]) -> String {
      stride(from: 0, to: bytes.count, by: 4).map { start in
        let word = bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return hexadecimal(word.bigEndian, digits: 8)
      }.joined()
    }

    private static func hexadecimal(_ number: some BinaryInteger, digits: Int) -> String {
      let text = String(number, radix: 16, uppercase: true)
      return String(repeating: "0", count: digits - text.utf8.count) + text
    }
  }

  extension SocketName {
    /// Creates the name of a connection's local or remote end.
    init?(of socket: Int32, isRemote: Bool) {
      var storage = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      // A `sockaddr_storage` may be read as a `sockaddr`; the size is its own.
      let result = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe isRemote ? getpeername(socket, $0, &size) : getsockname(socket, $0, &size)
        }
      }
      guard result == 0 else { return nil }
      // The bytes of the storage, which outlives the closure: family, port, then the address (ip(7), ipv6(7)).
      let bytes = unsafe withUnsafeBytes(of: &storage) { unsafe Array($0) }
      let port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
      switch Int32(storage.ss_family) {
      case AF_INET: self.init(ipv4: Array(bytes[4..<8]), port: port)
      case AF_INET6: self.init(ipv6: Array(bytes[8..<24]), port: port)
      default: return nil
      }
    }
  }

  /// A search for the peer of a connection in the kernel's tables of sockets.
  package struct PeerSearch {
    private let peer: SocketName
    private let own: SocketName
    private var found: PeerUser?
    /// Whether the connection itself was found, so a missing peer is known to be gone.
    private var hasSeenConnection = false

    package init(peer: SocketName, own: SocketName) {
      self.peer = peer
      self.own = own
    }

    package var isDone: Bool { found != nil }

    /// The peer's user according to the lines so far.
    package var result: PeerUser { found ?? (hasSeenConnection ? .gone : .untold) }

    /// Examines a line of a table.
    package mutating func look(at line: ArraySlice<UInt8>) {
      // sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode …
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 10)
      guard fields.count >= 10 else { return }
      if own.forms.contains(where: fields[1].elementsEqual), peer.forms.contains(where: fields[2].elementsEqual) {
        hasSeenConnection = true
      } else if peer.forms.contains(where: fields[1].elementsEqual), own.forms.contains(where: fields[2].elementsEqual)
      {
        // A socket that no process has open has no inode, and the superuser's number instead of its owner's.
        let isOpen = fields[9] != [UInt8(ascii: "0")]
        found = isOpen ? UInt32(String(decoding: fields[7], as: UTF8.self)).map { .user($0) } ?? .gone : .gone
      }
    }

    /// Examines each line of a table, or does nothing if the table cannot be read.
    package mutating func read(_ path: String) {
      // The text is a C string for the call.
      let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard number >= 0 else { return }
      let file = FileDescriptor(owning: number)
      var buffer = [UInt8](repeating: 0, count: 64 * 1024)
      var rest: [UInt8] = []
      while !isDone {
        // The pointer and the count are the array's own.
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe systemRead(file.number, $0.baseAddress, $0.count) }
        // Tables of the kernel are read without a wait, which a signal could interrupt.
        guard count > 0 else { return }
        rest += buffer[..<count]
        var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let last = lines.removeLast()
        for line in lines where !isDone { look(at: line) }
        rest = Array(last)
      }
    }
  }

  // The method above would hide the function's own name.
  private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(descriptor, buffer, count)
  }
#endif
