// SPDX-License-Identifier: Apache-2.0

extension Origin {
  /// The networks from which a host can be reached, judged by its name or address.
  ///
  /// A public DNS name may resolve to a private address, so ``Reach/everywhere`` describes the name, not the connection.
  package enum Reach: Sendable, Hashable {
    /// This machine only: loopback and unspecified addresses, `localhost` and names below it.
    case machine
    /// The local link only, such as the metadata servers of clouds.
    case link
    /// A private network: its addresses, single-label names, and names absent from the public DNS, such as those below
    /// `.local`, `.internal`, `.svc` and `.home.arpa`.
    case network
    /// The internet.
    case everywhere
    /// Unknown: an address of another kind, such as multicast, or a host in an unusual spelling that programs interpret
    /// differently.
    case unknown
  }

  /// The networks from which the host can be reached.
  package var reach: Reach {
    // The zone is not part of the address.
    if host.contains(":") { return IPv6Address(host.prefix { $0 != "%" })?.reach ?? .unknown }
    // Programs differ in how they map other characters to ASCII, some of them to dots and digits, and some decode `%` a second time.
    guard host.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") }) else { return .unknown }
    // A dot at the end does not change the name.
    let name = host.hasSuffix(".") ? host.dropLast() : Substring(host)
    let labels = name.split(ascii: ".", omittingEmptySubsequences: false)
    // Some programs remove one dot at the end, so that `localhost..` becomes `localhost.`.
    guard labels.allSatisfy({ !$0.isEmpty }) else { return .unknown }
    // WHATWG URL § 3.5: a host whose last label is a number is an address.
    if labels.last?.isNumber == true { return IPv4Address(labels)?.reach ?? .unknown }
    let last = labels.last.map(String.init) ?? ""
    if last == "localhost" { return .machine }
    if Self.unresolvedDomains.contains(last) { return .unknown }
    // The registered names below .arpa are those of protocols, except for the domain of home networks (RFC 8375).
    if last == "arpa" { return labels.dropLast().last == "home" ? .network : .unknown }
    return labels.count == 1 || Self.privateDomains.contains(last) ? .network : .everywhere
  }

  /// Top-level domains absent from the public DNS, but resolved in some private networks.
  ///
  /// `.example` is not among them: RFC 6761 § 6.5 has programs treat it as any other name.
  private static let privateDomains: Set<String> = [
    // IANA, Special-Use Domain Names (RFC 6761, 6762): the public DNS never has names below them.
    "local", "test", "invalid",
    // ICANN, 2024: reserved for private use.
    "internal",
    // RFC 6762, appendix G, and ICANN, 2018: in private use, and never delegated.
    "intranet", "private", "corp", "home", "lan", "mail",
    // Names of resolvers: RFC 1912 § 4.1 and the hosts files of Linux distributions.
    "localdomain", "localdomain4", "localdomain6",
    // Names of orchestrators: services of Kubernetes, whose search list completes `NAME.NAMESPACE.svc` (and `cluster.local`), of
    // Consul, Nomad, Docker, Podman, LXD, Incus and Mesos.
    "svc", "cluster", "consul", "nomad", "docker", "podman", "lxd", "incus", "mesos",
  ]

  /// Top-level domains outside of the DNS, which other systems resolve (RFC 7686, RFC 9476, and their predecessors in use).
  private static let unresolvedDomains: Set<String> = ["onion", "alt", "i2p"]
}

/// An IPv4 address ([RFC 6890](https://www.rfc-editor.org/rfc/rfc6890.html) lists the special ones).
private struct IPv4Address {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Parses four decimal numbers, or returns `nil` for any other spelling, such as octal or a single number.
  init?(_ labels: [Substring]) {
    bytes = labels.compactMap { label in UInt8(label).flatMap { String($0) == label ? $0 : nil } }
    guard bytes.count == 4, labels.count == 4 else { return nil }
  }

  var reach: Origin.Reach {
    switch (bytes[0], bytes[1], bytes[2]) {
    case (0, _, _), (127, _, _): .machine
    case (169, 254, _): .link
    // Azure's platform services, including the agent's, which provides a virtual machine's certificates.
    case (168, 63, 129) where bytes[3] == 16: .link
    case (10, _, _), (172, 16...31, _), (192, 168, _), (100, 64...127, _): .network
    case (192, 0, 0), (198, 18...19, _), (224..., _, _): .unknown
    default: .everywhere
    }
  }
}

/// An IPv6 address ([RFC 4291](https://www.rfc-editor.org/rfc/rfc4291.html)).
private struct IPv6Address {
  let groups: [UInt16]

  /// Parses the text form (§ 2.2).
  init?(_ text: Substring) {
    let halves = text.split(separator: "::", omittingEmptySubsequences: false)
    guard halves.count <= 2, let head = Self.groups(halves[0]),
      let tail = Self.groups(halves.count == 2 ? halves[1] : "")
    else { return nil }
    let missing = 8 - head.count - tail.count
    guard halves.count == 2 ? missing >= 1 : missing == 0 else { return nil }
    groups = head + Array(repeating: 0, count: missing) + tail
  }

  private static func groups(_ text: Substring) -> [UInt16]? {
    var groups: [UInt16] = []
    let parts = text.isEmpty ? [] : text.split(ascii: ":", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if index == parts.count - 1, part.contains(".") {
        guard let embedded = IPv4Address(part.split(ascii: ".", omittingEmptySubsequences: false)) else {
          return nil
        }
        groups += stride(from: 0, to: 4, by: 2).map { UInt16(embedded.bytes[$0]) << 8 | UInt16(embedded.bytes[$0 + 1]) }
      } else {
        guard part.utf8.count <= 4, part.allSatisfy(\.isHexDigit), let group = UInt16(part, radix: 16) else {
          return nil
        }
        groups.append(group)
      }
    }
    return groups
  }

  var reach: Origin.Reach {
    if let embedded { return embedded.reach }
    switch (groups[0], groups[1]) {
    case (0xFE80...0xFEBF, _): return .link
    case (0xFC00...0xFDFF, _): return .network
    // RFC 2928: for protocols such as Teredo, whose addresses contain another address.
    case (0x2001, 0...0x1FF): return .unknown
    case (0x2000...0x3FFF, _): return .everywhere
    default: return .unknown
    }
  }

  /// The IPv4 address to which a packet is finally sent: that in `::ffff:0:0/96`, `::/96` (with `::` and `::1`), `64:ff9b::/96` and
  /// `2002::/16`.
  private var embedded: IPv4Address? {
    let last: ArraySlice<UInt16>
    if groups[..<5].allSatisfy({ $0 == 0 }), groups[5] == 0 || groups[5] == 0xFFFF {
      if groups == [0, 0, 0, 0, 0, 0, 0, 1] { return IPv4Address([127, 0, 0, 1]) }
      last = groups[6...]
    } else if groups[..<6] == [0x64, 0xFF9B, 0, 0, 0, 0] {
      last = groups[6...]
    } else if groups[0] == 0x2002 {
      last = groups[1...2]
    } else {
      return nil
    }
    return IPv4Address(last.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
  }
}

extension Substring {
  /// Whether programs may read the label as a number: it has only digits, or starts with `0x`.
  fileprivate var isNumber: Bool {
    !isEmpty && (utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } || hasPrefix("0x"))
  }
}
