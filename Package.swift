// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The modules, lowest first, with their dependencies, which `@linux` and `@apple` limit to these platforms.
///
/// The first two are internal, and the last is the command. Each of the others is a product, so a consumer compiles only what it uses.
let modules: KeyValuePairs = [
  "PlatformFoundation": "", "Support": "CLinux@linux PlatformFoundation",
  "HexColor": "", "JSONCoding": "PlatformFoundation", "OAuthScope": "",
  "Timekeeping": "PlatformFoundation", "Recurrence": "PlatformFoundation Timekeeping",
  "HTTPTransport": "PlatformFoundation Timekeeping", "HTTPTransportURLSession": "HTTPTransport Support Timekeeping",
  "HTTPTransportCurl": "CLibcurl HTTPTransport PlatformFoundation Support",
  "TokenStore": "CLibcrypto@linux JSONCoding OAuthScope PlatformFoundation Support Timekeeping",
  "PostgreSQL": "CLibpq PlatformFoundation Support", "TokenStorePostgreSQL": "PostgreSQL Support TokenStore",
  "TokenStoreSecretService": "CLibsecret PlatformFoundation Support TokenStore",
  "OAuthJOSE": "CLibcrypto@linux JSONCoding PlatformFoundation Support",
  "TokenStoreSealed": "CLibcrypto@linux OAuthJOSE PlatformFoundation Support TokenStore",
  "OAuthCore": "HTTPTransport JSONCoding OAuthJOSE OAuthScope PlatformFoundation Support Timekeeping TokenStore",
  "TokenStoreGoogleKMS":
    "HTTPTransport JSONCoding OAuthCore OAuthJOSE OAuthScope PlatformFoundation Support TokenStore TokenStoreSealed",
  "OAuthResources": "HTTPTransport OAuthCore OAuthScope PlatformFoundation Timekeeping TokenStore",
  "LoopbackHTTP": "HTTPTransport PlatformFoundation Support",
  "OAuthUserAgents": "HTTPTransport LoopbackHTTP OAuthCore PlatformFoundation Support Timekeeping TokenStore",
  "OpenIDConnect": "HTTPTransport JSONCoding OAuthCore OAuthJOSE PlatformFoundation Support Timekeeping TokenStore",
  "GoogleCredentials":
    "HTTPTransport JSONCoding OAuthCore OAuthJOSE OAuthScope PlatformFoundation Support Timekeeping TokenStore",
  "AppFlip": "HTTPTransport OAuthScope PlatformFoundation",
  "CalendarAPI": "HexColor HTTPTransport JSONCoding OAuthScope PlatformFoundation Support Timekeeping",
  "CalendarSync": "CalendarAPI JSONCoding PlatformFoundation Recurrence Support Timekeeping",
  "CalendarSyncSQLite": "CLibsqlite3 CalendarSync PlatformFoundation Support",
  "CalendarSyncPostgreSQL": "CalendarSync PlatformFoundation PostgreSQL",
  "Almanac": """
  CalendarAPI HexColor HTTPTransport HTTPTransportCurl@linux HTTPTransportURLSession@apple OAuthCore OAuthScope
  OAuthUserAgents OpenIDConnect PlatformFoundation Support Timekeeping TokenStore
  """,
  "AlmanacSandbox": """
  AppFlip HexColor HTTPTransport JSONCoding LoopbackHTTP OAuthCore OAuthJOSE OAuthScope OpenIDConnect
  PlatformFoundation Recurrence Support Timekeeping TokenStore
  """,
  "AlmanacTesting":
    "CalendarAPI CalendarSync HTTPTransport JSONCoding OAuthCore PlatformFoundation Support Timekeeping TokenStore",
  "AlmanacCLI": """
  Almanac AlmanacSandbox AppFlip CalendarAPI CalendarSync CCommit GoogleCredentials HexColor HTTPTransport
  HTTPTransportCurl@linux JSONCoding LoopbackHTTP OAuthCore OAuthJOSE OAuthResources OAuthScope OAuthUserAgents
  OpenIDConnect PlatformFoundation PostgreSQL Recurrence Support Timekeeping TokenStore TokenStorePostgreSQL
  TokenStoreSealed TokenStoreSecretService@linux
  """,
]

/// The modules with tests in `Tests`, and what the tests depend on besides `TestSupport`, the module and its own dependencies.
let tests: KeyValuePairs = [
  "HexColor": "", "JSONCoding": "", "LoopbackHTTP": "", "OAuthJOSE": "", "OAuthScope": "", "Recurrence": "",
  "Timekeeping": "", "AlmanacCLI": "AlmanacTesting PostgreSQLFixtures", "CalendarAPI": "AlmanacTesting",
  "HTTPTransport": "AlmanacTesting",
  "PostgreSQL": "PostgreSQLFixtures", "Simulation": "PostgreSQL PostgreSQLFixtures TokenStore TokenStorePostgreSQL",
  "Support": "TestProcess", "TokenStoreSecretService": "AlmanacTesting TestProcess",
  "HTTPTransportURLSession": "AlmanacTesting PlatformFoundation TransportKit",
  "AlmanacTesting": "HTTPTransportCurl OAuthScope TransportKit",
  "HTTPTransportCurl": "CLibcurlFaults LoopbackHTTP TransportKit",
  "TokenStore": "AlmanacTesting OAuthFixtures TestProcess TokenStoreSealed",
  "TokenStorePostgreSQL": """
  AlmanacSandbox AlmanacTesting HTTPTransport HTTPTransportCurl LoopbackHTTP OAuthCore PostgreSQLFixtures
  TestProcess Timekeeping TokenStoreSealed
  """,
  "AppFlip": "AlmanacSandbox AlmanacTesting TokenStore", "TokenStoreSealed": "AlmanacTesting OAuthScope Timekeeping",
  "OAuthCore": """
  AlmanacSandbox AlmanacTesting HTTPTransportCurl LoopbackHTTP OAuthFixtures OAuthResources TestProcess TokenStoreSealed
  """,
  "OAuthResources": "AlmanacSandbox AlmanacTesting OAuthFixtures", "AlmanacSandbox": "AlmanacTesting",
  "OAuthUserAgents": "AlmanacTesting HTTPTransportCurl", "OpenIDConnect": "AlmanacSandbox AlmanacTesting",
  "GoogleCredentials": "AlmanacSandbox AlmanacTesting HTTPTransportCurl LoopbackHTTP",
  "TokenStoreGoogleKMS": "AlmanacSandbox AlmanacTesting GoogleCredentials",
  "CalendarSync": "Almanac AlmanacSandbox AlmanacTesting CalendarSyncSQLite HTTPTransport TokenStore",
  "CalendarSyncSQLite": "AlmanacTesting CalendarAPI TestProcess",
  "CalendarSyncPostgreSQL": "AlmanacTesting CalendarAPI PostgreSQLFixtures Timekeeping TokenStorePostgreSQL",
  "Almanac": "AlmanacSandbox AlmanacTesting JSONCoding LoopbackHTTP OAuthJOSE OAuthResources TokenStoreSealed",
]

/// The modules that several tests or benchmarks share, by their folders.
let kits: KeyValuePairs = [
  "Benchmarks/CAllocationCounter": "", "Tests/CLibcurlFaults": "CLibcurl",
  "Benchmarks/BenchmarkHarness": "CAllocationCounter CLibcrypto@linux",
  "Tests/OAuthFixtures": "AlmanacTesting HTTPTransport OAuthCore OAuthScope Timekeeping TokenStore",
  "Tests/PostgreSQLFixtures": "Support TestSupport", "Tests/TestSupport": "Support",
  "Tests/Simulation": "HTTPTransport OAuthCore OAuthFixtures Support TestSupport Timekeeping TokenStore",
  "Tests/TransportKit": "AlmanacTesting HTTPTransport PlatformFoundation Support TestSupport",
]

/// The programs for tests and measurements, by their folders.
let programs: KeyValuePairs = [
  "Benchmarks": """
  BenchmarkHarness CLibcrypto@linux CalendarAPI HTTPTransport HexColor OAuthCore OAuthJOSE Recurrence Support
  Timekeeping TokenStore TokenStoreSealed
  """,
  "Benchmarks/DatabaseBenchmarks": "PostgreSQL TokenStore TokenStorePostgreSQL TokenStoreSealed",
  "Benchmarks/HTTPBenchmarks": "HTTPTransport HTTPTransportCurl HTTPTransportURLSession",
  "Benchmarks/SystemBenchmarks": """
  AlmanacSandbox BenchmarkHarness CalendarAPI CalendarSync CalendarSyncPostgreSQL CalendarSyncSQLite HTTPTransport
  LoopbackHTTP OAuthCore PostgreSQL Recurrence Timekeeping TokenStore
  """,
  "Tools/GoogleFacts": "Almanac AlmanacSandbox Timekeeping",
  "Tools/Interop/InteropCredentials": "GoogleCredentials HTTPTransport HTTPTransportCurl OAuthCore TokenStore",
  "Tools/Interop/InteropSteps":
    "AlmanacTesting HTTPTransport HTTPTransportCurl OAuthCore OAuthJOSE OpenIDConnect Timekeeping TokenStore",
  "Tests/TestProcess": """
  AlmanacTesting CalendarAPI CalendarSync CalendarSyncSQLite HTTPTransport HTTPTransportCurl OAuthCore
  PlatformFoundation PostgreSQL Support TokenStore TokenStorePostgreSQL TokenStoreSealed TokenStoreSecretService
  """,
]

/// The files and folders to exclude from a target.
let excluded = [
  "AlmanacCLITests": "Transcripts", "AlmanacSandboxTests": "Transcripts", "JSONCodingTests": "JSONTestSuite",
  "OAuthJOSETests": "Wycheproof", "RecurrenceTests": "Dateutil", "TokenStoreSealedTests": "XAES-256-GCM.txt",
  "Benchmarks":
    "BenchmarkHarness CAllocationCounter DatabaseBenchmarks HTTPBenchmarks README.md SystemBenchmarks counts.txt",
  "DatabaseBenchmarks": "bench-database compare.py",
  "GoogleFacts": "README.md check-google", "HTTPBenchmarks": "bench-http compare.py libcurl.c nethttp.go",
  "SystemBenchmarks": "counts.txt",
]

let features = [
  "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
]
let settings = [SwiftSetting.strictMemorySafety()] + features.map { .enableUpcomingFeature($0) }

/// The commit of a release build, with "+" after it if files have changed since, for `almanac --version`.
let commit = Context.gitInformation.map { $0.currentCommit.prefix(7) + ($0.hasUncommittedChanges ? "+" : "") }

/// Returns the dependencies that a row of a table names.
func dependencies(_ row: String) -> [Target.Dependency] {
  let platforms: [Substring: [Platform]] = ["linux": [.linux], "apple": [.macOS, .iOS, .tvOS, .watchOS, .visionOS]]
  return Set(row.split(whereSeparator: \.isWhitespace)).sorted().map { name in
    let parts = name.split(separator: "@")
    let condition = parts.count == 1 ? nil : TargetDependencyCondition.when(platforms: platforms[parts[1]] ?? [])
    return .target(name: String(parts[0]), condition: condition)
  }
}

func name(_ folder: String) -> String { String(folder.split(separator: "/").last ?? "") }

let package = Package(
  name: "almanac",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: modules.dropFirst(2).dropLast().map { .library(name: $0.key, targets: [$0.key]) }
    + [.executable(name: "almanac", targets: ["AlmanacCLI"])],
  targets: ["CLinux", "CLibcrypto", "CLibsqlite3"].map { .systemLibrary(name: $0) }
    + ["CLibcurl", "CLibpq", "CLibsecret", "CCommit"].map { .target(name: $0) }
    + modules.dropLast().map { .target(name: $0, dependencies: dependencies($1)) }
    + modules.suffix(1).map { .executableTarget(name: $0, dependencies: dependencies($1)) }
    + kits.map { .target(name: name($0), dependencies: dependencies($1), path: $0) }
    + tests.map { name, more in
      let own = modules.first { $0.key == name }?.value ?? ""
      return .testTarget(name: name + "Tests", dependencies: dependencies("TestSupport \(name) \(own) \(more)"))
    }
    + programs.map { .executableTarget(name: name($0), dependencies: dependencies($1), path: $0) },
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.exclude = (excluded[target.name] ?? "").split(separator: " ").map(String.init)
  target.swiftSettings = settings
  if target.name == "CCommit" {
    target.cSettings = [.define("ALMANAC_COMMIT", to: "\"\(commit ?? "")\"", .when(configuration: .release))]
  }
}
