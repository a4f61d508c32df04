// SPDX-License-Identifier: Apache-2.0

import PlatformFoundation

/// The configuration of a ``PostgreSQLClient``: the servers, the role, and the limits of its connections.
///
/// ```swift
/// let configuration = try PostgreSQLConfiguration.environment()  // DATABASE_URL, or PGHOST and so on
/// ```
///
/// The connection string has the form defined by libpq
/// ([Connection Strings](https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING)): a URL or a list
/// of options. Omitted options come from the environment, the service file and the password file, as for `psql`.
///
/// - **Servers on other hosts are verified** (`sslmode=verify-full`), with the system's certificates unless `sslrootcert` names others.
///   UNIX sockets and loopback addresses need no TLS.
/// - **Several hosts** are tried in order, and the first one that accepts writes is used. After a failover, the next
///   connections find the new primary.
///
/// No description contains the password.
public struct PostgreSQLConfiguration: Sendable {
  /// The required protection of connections to servers on other hosts.
  public enum TransportSecurity: Sendable {
    /// TLS with a certificate for the server's name, issued by a trusted authority.
    case verified
    /// The `sslmode` of the connection string, for networks beyond the reach of attackers, such as between containers
    /// of one machine.
    case asConfigured
  }

  /// The use of channel binding, which detects a server with a stolen certificate
  /// ([SCRAM](https://www.postgresql.org/docs/current/sasl-authentication.html)).
  public enum ChannelBinding: String, Sendable {
    /// Uses channel binding if the server supports it.
    case prefer
    /// Rejects servers without channel binding.
    case require
  }

  /// The maximum number of connections of the pool.
  ///
  /// Defaults to 4.
  ///
  /// A client that listens for notifications uses one more.
  public var maximumConnections = 4
  /// The time limit of a call, from the wait for a connection to the last row.
  ///
  /// Defaults to 10 seconds.
  ///
  /// The server ends the statements of a direct connection after this time, even if the connection is lost.
  public var timeout = Duration.seconds(10)
  /// The time after which an idle connection is checked before its next use.
  ///
  /// Defaults to 30 seconds.
  public var healthCheckInterval = Duration.seconds(30)
  /// The time after which an idle connection is closed.
  ///
  /// Defaults to 10 minutes.
  public var idleTimeout = Duration.seconds(600)
  /// The required protection of connections to servers on other hosts.
  ///
  /// Defaults to ``TransportSecurity/verified``.
  public var transportSecurity = TransportSecurity.verified
  /// The use of channel binding, or `nil` for the connection string's, which defaults to ``ChannelBinding/prefer``.
  public var channelBinding: ChannelBinding?
  /// Whether statements of one connection can reach different sessions of the server, as behind PgBouncer in transaction mode.
  ///
  /// The client then sets no session parameters, prepares no statements and does not listen for notifications. Set `statement_timeout`
  /// for the role. Defaults to `false`. If PgBouncer rejects the session parameters, the client connects without them, and behaves as if
  /// this were `true`.
  public var isBehindTransactionPooler = false
  /// The name of the program in the server's list of sessions.
  public var applicationName = "almanac"

  /// The options of the connection string.
  private let given: [String: String]

  private init(given: [String: String]) { self.given = given }

  /// Parses a connection string.
  ///
  /// - Parameter connectionString: A URL such as `postgresql://role@db.example/tokens`, or a list such as `host=… dbname=…`. Take a
  ///   string with a password from the environment or a file, never from an argument of the program: other users can see those.
  /// - Throws: ``PostgreSQLError`` with code ``PostgreSQLError/Code/invalidConfiguration`` or ``PostgreSQLError/Code/libraryMissing``.
  public init(_ connectionString: String) throws(PostgreSQLError) {
    try Libpq.load()
    guard !connectionString.utf8.contains(0), let options = Libpq.options(of: connectionString) else {
      // libpq's message can contain a part of the string.
      throw PostgreSQLError(
        .invalidConfiguration,
        "The connection string is malformed. Use postgresql://ROLE@HOST/DATABASE, and escape special characters.")
    }
    // The rest of a password after an unescaped @ would become part of the host, which messages show.
    let hosts = (options["host"] ?? "").split(separator: ",")
    guard hosts.allSatisfy({ $0.hasPrefix("/") || !$0.dropFirst().utf8.contains(UInt8(ascii: "@")) }) else {
      throw PostgreSQLError(
        .invalidConfiguration,
        "The connection string's host contains @. Write %40 for each @ in the role's name or its password.")
    }
    self.init(given: options)
  }

  /// Reads the connection string from `DATABASE_URL`.
  ///
  /// Without it, all options come from libpq's own variables, such as `PGHOST`.
  ///
  /// - Throws: ``PostgreSQLError`` with code ``PostgreSQLError/Code/invalidConfiguration`` or ``PostgreSQLError/Code/libraryMissing``.
  public static func environment() throws(PostgreSQLError) -> PostgreSQLConfiguration {
    try PostgreSQLConfiguration(ProcessInfo.processInfo.environment["DATABASE_URL"] ?? "")
  }

  /// Returns the configuration of a service in the service file
  /// ([pg_service.conf](https://www.postgresql.org/docs/current/libpq-pgservice.html)).
  ///
  /// The client verifies the service's servers, even on this host, unless ``transportSecurity`` is ``TransportSecurity/asConfigured``.
  public static func service(_ name: String) throws(PostgreSQLError) -> PostgreSQLConfiguration {
    try Libpq.load()
    return PostgreSQLConfiguration(given: ["service": name])
  }
}

extension PostgreSQLConfiguration {
  /// One server, and the options of a connection to it.
  struct Server: Sendable {
    /// The server and database, for display.
    let place: String
    /// The options for libpq.
    var options: [String: String]
    /// The passwords of the connection string and of libpq's own variables.
    let secrets: [String]
  }

  /// Returns the servers in the order in which they are tried.
  ///
  /// The call can read files.
  ///
  /// - Throws: ``PostgreSQLError`` with code ``PostgreSQLError/Code/invalidConfiguration``.
  func servers() throws(PostgreSQLError) -> [Server] {
    let defaults = given["service"] == nil ? Libpq.defaultOptions() : [:]
    func list(_ option: String) -> [String] {
      (given[option] ?? defaults[option] ?? "").split(separator: ",", omittingEmptySubsequences: false).map {
        String($0.filter { $0 != " " })
      }
    }
    let (hosts, numbers, ports) = (list("host"), list("hostaddr"), list("port"))
    let count = max(hosts.count, numbers.count)
    guard [1, count].contains(ports.count), [0, 1, count].contains(numbers.count), count <= 64 else {
      throw PostgreSQLError(
        .invalidConfiguration, "The numbers of hosts and ports differ. Name one port for each host, or one for all.")
    }
    let secrets = ["password", "sslpassword"].flatMap { [given[$0], defaults[$0]] }.compactMap(\.self)
    var servers: [Server] = []
    for index in 0..<max(1, count) {
      let host = hosts.indices.contains(index) ? hosts[index] : ""
      let number = numbers.indices.contains(index) ? numbers[index] : ""
      let port = ports[ports.count == 1 ? 0 : index]
      var options = given
      options["host"] = host.isEmpty ? nil : host
      options["hostaddr"] = number.isEmpty ? nil : number
      options["port"] = port.isEmpty ? nil : port
      try complete(&options, isLocal: isLocal(number.isEmpty ? host : number), defaults)
      let name = host.isEmpty ? (number.isEmpty ? "PostgreSQL" : number) : host
      let database = given["dbname"] ?? defaults["dbname"] ?? ""
      servers.append(
        Server(
          place: PostgreSQLError.printable("\(name)\(port.isEmpty ? "" : ":\(port)")/\(database)"), options: options,
          secrets: secrets))
    }
    return servers
  }

  /// Adds the options omitted from the connection string.
  private func complete(
    _ options: inout [String: String], isLocal: Bool, _ defaults: [String: String]
  ) throws(PostgreSQLError) {
    if !isLocal, transportSecurity == .verified {
      if let mode = given["sslmode"], mode != "verify-full" {
        throw PostgreSQLError(
          .invalidConfiguration,
          """
          sslmode=\(PostgreSQLError.printable(mode)) does not verify the server. Use sslmode=verify-full, or, in a network that no \
          attacker can reach, set transportSecurity to asConfigured.
          """)
      }
      options["sslmode"] = "verify-full"
      options["gssencmode"] = "disable"
      if given["sslrootcert"] == nil, (defaults["sslrootcert"] ?? "").isEmpty {
        options["sslrootcert"] = Self.systemCertificates
      }
    }
    if let channelBinding { options["channel_binding"] = channelBinding.rawValue }
    options["target_session_attrs"] = given["target_session_attrs"] ?? "read-write"
    options["application_name"] = given["application_name"] ?? applicationName
    options["client_encoding"] = "UTF8"
    // Keepalives detect a server that is no longer reachable.
    options["keepalives_idle"] = given["keepalives_idle"] ?? "30"
    options["keepalives_interval"] = given["keepalives_interval"] ?? "10"
    options["keepalives_count"] = given["keepalives_count"] ?? "3"
    options["tcp_user_timeout"] = given["tcp_user_timeout"] ?? "30000"
    if !isBehindTransactionPooler {
      let limit = "-c statement_timeout=\(timeout.milliseconds) -c idle_in_transaction_session_timeout=60000"
      options["options"] = [given["options"] ?? defaults["options"], limit].compactMap(\.self).joined(separator: " ")
    }
  }

  private func isLocal(_ host: String) -> Bool {
    // Without a host, libpq uses a UNIX socket. With a service, the host is unknown.
    if host.isEmpty { return given["service"] == nil }
    if host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// The value of `sslrootcert` for the system's trusted certificates, or `nil` for libpq's own default.
  private static var systemCertificates: String? {
    if Libpq.version >= 160_000 { return "system" }
    return ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"]
      .first { FileManager.default.fileExists(atPath: $0) }
  }
}

extension PostgreSQLConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The type's name and the non-secret options.
  public var description: String {
    let shown = ["host", "hostaddr", "port", "dbname", "user", "service"].compactMap { option in
      given[option].map { "\(option)=\(PostgreSQLError.printable($0))" }
    }
    return "PostgreSQLConfiguration(\(shown.joined(separator: " ")))"
  }

  /// The same as `description`.
  public var debugDescription: String { description }

  /// A mirror without options.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension Duration {
  /// The duration in milliseconds, at least 1, limited to 24 days.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = min(max(self, .milliseconds(1)), .seconds(86_400 * 24)).components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
