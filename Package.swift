// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let settings: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The commit of a release build, with "+" after it if files have changed since, for `almanac --version`.
let commit = Context.gitInformation.map { $0.currentCommit.prefix(7) + ($0.hasUncommittedChanges ? "+" : "") }

/// The library modules, lowest first.
///
/// Each is a separate product, so a consumer compiles only the products that it uses.
let modules: [(name: String, dependencies: [Target.Dependency])] = [
  ("HexColor", []),
  ("JSONCoding", ["PlatformFoundation"]),
  ("Timekeeping", ["PlatformFoundation"]),
  ("Recurrence", ["Timekeeping"]),
  ("HTTPTransport", ["PlatformFoundation", "Timekeeping"]),
  ("HTTPTransportURLSession", ["HTTPTransport", "Support", "Timekeeping"]),
  ("HTTPTransportCurl", ["CLibcurl", "HTTPTransport", "PlatformFoundation", "Support"]),
  (
    "TokenStore",
    [
      "PlatformFoundation", "Support", "Timekeeping",
      .target(name: "CLibcrypto", condition: .when(platforms: [.linux])),
    ]
  ),
  ("PostgreSQL", ["CLibpq", "PlatformFoundation", "Support"]),
  ("TokenStorePostgreSQL", ["PostgreSQL", "Support", "TokenStore"]),
  (
    "OAuthJOSE",
    ["JSONCoding", "PlatformFoundation", .target(name: "CLibcrypto", condition: .when(platforms: [.linux]))]
  ),
  (
    "TokenStoreSealed",
    [
      "OAuthJOSE", "PlatformFoundation", "TokenStore",
      .target(name: "CLibcrypto", condition: .when(platforms: [.linux])),
    ]
  ),
  (
    "OAuthCore",
    ["HTTPTransport", "JSONCoding", "OAuthJOSE", "PlatformFoundation", "Support", "Timekeeping", "TokenStore"]
  ),
  ("OAuthResources", ["HTTPTransport", "OAuthCore", "PlatformFoundation", "Timekeeping", "TokenStore"]),
  ("LoopbackHTTP", ["HTTPTransport", "PlatformFoundation", "Support"]),
  (
    "OAuthUserAgents",
    ["HTTPTransport", "LoopbackHTTP", "OAuthCore", "PlatformFoundation", "Support", "Timekeeping", "TokenStore"]
  ),
  (
    "OpenIDConnect",
    [
      "HTTPTransport", "JSONCoding", "OAuthCore", "OAuthJOSE", "PlatformFoundation", "Support", "Timekeeping",
      "TokenStore",
    ]
  ),
  (
    "GoogleCredentials",
    [
      "HTTPTransport", "JSONCoding", "OAuthCore", "OAuthJOSE", "PlatformFoundation", "Support", "Timekeeping",
      "TokenStore",
    ]
  ),
  ("AppFlip", ["HTTPTransport", "PlatformFoundation"]),
  ("CalendarAPI", ["HTTPTransport", "HexColor", "JSONCoding", "PlatformFoundation", "Support", "Timekeeping"]),
  ("CalendarSync", ["CalendarAPI", "JSONCoding", "PlatformFoundation", "Recurrence", "Support", "Timekeeping"]),
  ("CalendarSyncSQLite", ["CLibsqlite3", "CalendarSync", "PlatformFoundation", "Support"]),
  ("CalendarSyncPostgreSQL", ["CalendarSync", "PlatformFoundation", "PostgreSQL"]),
  (
    "Almanac",
    [
      "CalendarAPI", "HTTPTransport", "HexColor", "OAuthCore", "OAuthUserAgents", "OpenIDConnect", "PlatformFoundation",
      "Support", "Timekeeping", "TokenStore",
      .target(name: "HTTPTransportCurl", condition: .when(platforms: [.linux])),
      .target(
        name: "HTTPTransportURLSession",
        condition: .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS])),
    ]
  ),
  (
    "AlmanacSandbox",
    [
      "AppFlip", "HTTPTransport", "HexColor", "JSONCoding", "LoopbackHTTP", "OAuthCore", "OAuthJOSE",
      "PlatformFoundation", "Recurrence", "Support", "Timekeeping", "TokenStore",
    ]
  ),
  (
    "AlmanacTesting",
    [
      "CalendarAPI", "CalendarSync", "HTTPTransport", "JSONCoding", "OAuthCore", "PlatformFoundation", "Support",
      "Timekeeping", "TokenStore",
    ]
  ),
]

/// The test targets, each in the folder of `Tests` with its name, and the files and folders to exclude.
let tests: [(name: String, dependencies: [Target.Dependency], exclude: [String])] = [
  ("SupportTests", ["Support", "TestProcess", "TestSupport"], []),
  ("TestSupportTests", ["TestProcess", "TestSupport"], []),
  ("JSONCodingTests", ["JSONCoding", "TestSupport"], ["JSONTestSuite"]),
  ("HexColorTests", ["HexColor", "TestSupport"], []),
  ("TimekeepingTests", ["TestSupport", "Timekeeping"], []),
  ("RecurrenceTests", ["Recurrence", "TestSupport", "Timekeeping"], ["Dateutil"]),
  ("HTTPTransportTests", ["AlmanacTesting", "HTTPTransport", "TestSupport", "Timekeeping"], []),
  (
    "HTTPTransportURLSessionTests",
    [
      "AlmanacTesting", "HTTPTransport", "HTTPTransportURLSession", "PlatformFoundation", "TestSupport", "Timekeeping",
      "TransportKit",
    ], []
  ),
  (
    "AlmanacTestingTests",
    [
      "AlmanacTesting", "HTTPTransport", "HTTPTransportCurl", "OAuthCore", "TestSupport", "Timekeeping", "TokenStore",
      "TransportKit",
    ], []
  ),
  (
    "HTTPTransportCurlTests",
    [
      "CLibcurl", "CLibcurlFaults", "HTTPTransport", "HTTPTransportCurl", "LoopbackHTTP", "Support",
      "TestSupport", "TransportKit",
    ], []
  ),
  (
    "TokenStoreTests",
    ["AlmanacTesting", "Support", "TestProcess", "TestSupport", "Timekeeping", "TokenStore", "TokenStoreSealed"], []
  ),
  ("PostgreSQLTests", ["PostgreSQL", "PostgreSQLFixtures", "TestSupport"], []),
  (
    "TokenStorePostgreSQLTests",
    [
      "AlmanacSandbox", "AlmanacTesting", "HTTPTransport", "HTTPTransportCurl", "LoopbackHTTP", "OAuthCore",
      "PostgreSQL", "PostgreSQLFixtures", "TestProcess", "TestSupport", "Timekeeping", "TokenStore",
      "TokenStorePostgreSQL", "TokenStoreSealed",
    ], []
  ),
  ("AppFlipTests", ["AlmanacSandbox", "AlmanacTesting", "AppFlip", "HTTPTransport", "TestSupport", "TokenStore"], []),
  ("OAuthJOSETests", ["OAuthJOSE", "TestSupport"], ["Wycheproof"]),
  (
    "TokenStoreSealedTests",
    ["AlmanacTesting", "OAuthJOSE", "TestSupport", "Timekeeping", "TokenStore", "TokenStoreSealed"],
    ["XAES-256-GCM.txt"]
  ),
  ("LoopbackHTTPTests", ["HTTPTransport", "LoopbackHTTP", "Support", "TestSupport"], []),
  (
    "OAuthCoreTests",
    [
      "AlmanacSandbox", "AlmanacTesting", "HTTPTransport", "HTTPTransportCurl", "LoopbackHTTP", "OAuthCore",
      "OAuthFixtures", "OAuthJOSE", "OAuthResources", "TestProcess", "TestSupport", "Timekeeping", "TokenStore",
    ], []
  ),
  (
    "OAuthResourcesTests",
    [
      "AlmanacSandbox", "AlmanacTesting", "HTTPTransport", "OAuthCore", "OAuthFixtures", "OAuthResources",
      "TestSupport", "Timekeeping", "TokenStore",
    ], []
  ),
  (
    "OAuthUserAgentsTests",
    [
      "AlmanacTesting", "HTTPTransport", "HTTPTransportCurl", "LoopbackHTTP", "OAuthCore", "OAuthUserAgents",
      "TestSupport", "Timekeeping", "TokenStore",
    ], []
  ),
  (
    "OpenIDConnectTests",
    [
      "AlmanacSandbox", "AlmanacTesting", "HTTPTransport", "OAuthCore", "OAuthJOSE", "OpenIDConnect", "TestSupport",
      "Timekeeping", "TokenStore",
    ], []
  ),
  (
    "GoogleCredentialsTests",
    [
      "AlmanacSandbox", "AlmanacTesting", "GoogleCredentials", "HTTPTransport", "HTTPTransportCurl", "JSONCoding",
      "LoopbackHTTP", "OAuthCore", "OAuthJOSE", "TestSupport", "Timekeeping", "TokenStore",
    ], []
  ),
  (
    "CalendarAPITests",
    [
      "AlmanacTesting", "CalendarAPI", "HTTPTransport", "HexColor", "PlatformFoundation", "TestSupport", "Timekeeping",
    ], []
  ),
  (
    "AlmanacSandboxTests",
    [
      "AlmanacSandbox", "AlmanacTesting", "HTTPTransport", "JSONCoding", "LoopbackHTTP", "OAuthCore", "OAuthJOSE",
      "OAuthResources", "TestSupport", "Timekeeping", "TokenStore",
    ], ["Transcripts"]
  ),
  (
    "CalendarSyncTests",
    [
      "Almanac", "AlmanacSandbox", "AlmanacTesting", "CalendarAPI", "CalendarSync", "CalendarSyncPostgreSQL",
      "CalendarSyncSQLite", "HTTPTransport", "JSONCoding", "PostgreSQL", "PostgreSQLFixtures", "Recurrence",
      "TestSupport", "Timekeeping", "TokenStore",
    ], []
  ),
  (
    "CalendarSyncSQLiteTests",
    ["AlmanacTesting", "CalendarAPI", "CalendarSync", "CalendarSyncSQLite", "TestProcess", "TestSupport"], []
  ),
  (
    "CalendarSyncPostgreSQLTests",
    [
      "AlmanacTesting", "CalendarAPI", "CalendarSync", "CalendarSyncPostgreSQL", "PostgreSQL", "PostgreSQLFixtures",
      "TestSupport", "Timekeeping", "TokenStorePostgreSQL",
    ], []
  ),
  (
    "AlmanacTests",
    [
      "Almanac", "AlmanacSandbox", "AlmanacTesting", "CalendarAPI", "HTTPTransport", "HexColor", "JSONCoding",
      "LoopbackHTTP", "OAuthCore", "OAuthJOSE", "OAuthResources", "OAuthUserAgents", "OpenIDConnect", "TestSupport",
      "Timekeeping", "TokenStore",
    ], []
  ),
  (
    "AlmanacCLITests",
    [
      "Almanac", "AlmanacCLI", "AlmanacSandbox", "AlmanacTesting", "CalendarAPI", "GoogleCredentials", "HTTPTransport",
      "JSONCoding", "LoopbackHTTP", "OAuthCore", "OAuthJOSE", "Recurrence", "TestSupport", "Timekeeping", "TokenStore",
      "TokenStoreSealed",
      .target(name: "HTTPTransportCurl", condition: .when(platforms: [.linux])),
    ], ["Transcripts"]
  ),
]

/// The targets for tests and benchmarks only: programs, and shared code.
let helpers: [(name: String, path: String, isProgram: Bool, dependencies: [Target.Dependency], exclude: [String])] = [
  (
    "Benchmarks", "Benchmarks", true,
    [
      "AlmanacSandbox", "CAllocationCounter", "CalendarAPI", "CalendarSync", "CalendarSyncPostgreSQL",
      "CalendarSyncSQLite", "HTTPTransport", "HexColor", "LoopbackHTTP", "OAuthCore", "OAuthJOSE", "PostgreSQL",
      "Recurrence", "Support", "Timekeeping", "TokenStore", "TokenStoreSealed",
      .target(name: "CLibcrypto", condition: .when(platforms: [.linux])),
    ], ["CAllocationCounter", "HTTP", "README.md", "counts.txt"]
  ),
  (
    "HTTPBenchmarks", "Benchmarks/HTTP", true, ["HTTPTransport", "HTTPTransportCurl", "HTTPTransportURLSession"],
    ["compare.py", "libcurl.c", "nethttp.go"]
  ),
  ("GoogleFacts", "Tests/GoogleFacts", true, ["Almanac", "AlmanacSandbox", "Timekeeping"], []),
  ("TestSupport", "Tests/TestSupport", false, [], []),
  (
    "TransportKit", "Tests/TransportKit", false, ["AlmanacTesting", "HTTPTransport", "PlatformFoundation", "Support"],
    []
  ),
  ("PostgreSQLFixtures", "Tests/PostgreSQLFixtures", false, ["TestSupport"], []),
  (
    "OAuthFixtures", "Tests/OAuthFixtures", false,
    ["AlmanacTesting", "HTTPTransport", "OAuthCore", "Timekeeping", "TokenStore"], []
  ),
  (
    "InteropCredentials", "Tests/Interop/Credentials", true,
    ["GoogleCredentials", "HTTPTransport", "HTTPTransportCurl", "OAuthCore", "TokenStore"], []
  ),
  (
    "InteropCopy", "Tests/Interop/Copy", true,
    ["CalendarAPI", "CalendarSync", "CalendarSyncSQLite", "HTTPTransport", "HTTPTransportCurl"], []
  ),
  (
    "InteropSteps", "Tests/Interop/Steps", true,
    ["HTTPTransport", "HTTPTransportCurl", "OAuthCore", "OAuthJOSE", "OpenIDConnect", "Timekeeping", "TokenStore"], []
  ),
  (
    "TestProcess", "Tests/TestProcess", true,
    [
      "CalendarAPI", "CalendarSync", "CalendarSyncSQLite", "HTTPTransport", "HTTPTransportCurl", "OAuthCore",
      "PostgreSQL", "Support", "TokenStore", "TokenStorePostgreSQL",
    ], []
  ),
]

let package = Package(
  name: "almanac",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: modules.map { .library(name: $0.name, targets: [$0.name]) } + [
    .executable(name: "almanac", targets: ["AlmanacCLI"])
  ],
  targets: modules.map { .target(name: $0.name, dependencies: $0.dependencies, swiftSettings: settings) }
    + tests.map {
      .testTarget(name: $0.name, dependencies: $0.dependencies, exclude: $0.exclude, swiftSettings: settings)
    }
    + helpers.map {
      $0.isProgram
        ? .executableTarget(
          name: $0.name, dependencies: $0.dependencies, path: $0.path, exclude: $0.exclude, swiftSettings: settings)
        : .target(
          name: $0.name, dependencies: $0.dependencies, path: $0.path, exclude: $0.exclude, swiftSettings: settings)
    } + [
      .systemLibrary(name: "CLinux"),
      .systemLibrary(name: "CLibcrypto"),
      .systemLibrary(name: "CLibcurl"),
      .systemLibrary(name: "CLibsqlite3"),
      .target(name: "CLibpq"),
      .target(
        name: "CCommit",
        cSettings: [.define("ALMANAC_COMMIT", to: "\"\(commit ?? "")\"", .when(configuration: .release))]),
      .target(name: "CAllocationCounter", path: "Benchmarks/CAllocationCounter"),
      .target(name: "CLibcurlFaults", path: "Tests/CLibcurlFaults"),
      .target(name: "PlatformFoundation", swiftSettings: settings),
      .target(
        name: "Support",
        dependencies: ["PlatformFoundation", .target(name: "CLinux", condition: .when(platforms: [.linux]))],
        swiftSettings: settings),
      .executableTarget(
        name: "AlmanacCLI",
        dependencies: [
          "Almanac", "AlmanacSandbox", "AppFlip", "CCommit", "CalendarAPI", "CalendarSync", "GoogleCredentials",
          "HTTPTransport",
          "HexColor",
          "JSONCoding", "LoopbackHTTP", "OAuthCore", "OAuthJOSE", "OAuthResources", "OAuthUserAgents", "OpenIDConnect",
          "PlatformFoundation", "Recurrence", "Support", "Timekeeping", "TokenStore", "TokenStoreSealed",
          .target(name: "HTTPTransportCurl", condition: .when(platforms: [.linux])),
        ],
        swiftSettings: settings),
    ],
  swiftLanguageModes: [.v6]
)
