// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let settings: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The library modules, lowest first.
///
/// Each is a product of its own, so that a consumer compiles only what it picks.
let modules: [(name: String, dependencies: [Target.Dependency])] = [
  ("HexColor", []),
  ("JSONCoding", []),
  ("Timekeeping", []),
  ("Recurrence", ["Timekeeping"]),
  ("HTTPTransport", ["Timekeeping"]),
  ("HTTPTransportURLSession", ["HTTPTransport", "Support", "Timekeeping"]),
  ("HTTPTransportCurl", ["CLibcurl", "HTTPTransport", "Support"]),
  ("TokenStore", ["Support", "Timekeeping"]),
  ("OAuthJOSE", ["JSONCoding", .target(name: "CLibcrypto", condition: .when(platforms: [.linux]))]),
  ("OAuthCore", ["HTTPTransport", "JSONCoding", "OAuthJOSE", "Support", "Timekeeping", "TokenStore"]),
  ("OAuthResources", ["HTTPTransport", "OAuthCore", "Timekeeping", "TokenStore"]),
  ("LoopbackHTTP", ["HTTPTransport", "Support"]),
  ("OAuthUserAgents", ["HTTPTransport", "LoopbackHTTP", "OAuthCore", "Support", "Timekeeping", "TokenStore"]),
  ("OpenIDConnect", ["HTTPTransport", "JSONCoding", "OAuthCore", "OAuthJOSE", "Support", "Timekeeping", "TokenStore"]),
  (
    "GoogleCredentials",
    ["HTTPTransport", "JSONCoding", "OAuthCore", "OAuthJOSE", "Support", "Timekeeping", "TokenStore"]
  ),
  ("AppFlip", ["HTTPTransport"]),
  ("CalendarAPI", ["HTTPTransport", "HexColor", "JSONCoding", "Support", "Timekeeping"]),
  (
    "Almanac",
    [
      "CalendarAPI", "HTTPTransport", "HexColor", "OAuthCore", "OAuthUserAgents", "OpenIDConnect", "Support",
      "Timekeeping", "TokenStore",
      .target(name: "HTTPTransportCurl", condition: .when(platforms: [.linux])),
      .target(
        name: "HTTPTransportURLSession",
        condition: .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS])),
    ]
  ),
  (
    "AlmanacSandbox",
    [
      "AppFlip", "HTTPTransport", "HexColor", "JSONCoding", "LoopbackHTTP", "OAuthCore", "OAuthJOSE", "Recurrence",
      "Support",
      "Timekeeping",
      "TokenStore",
    ]
  ),
  ("AlmanacTesting", ["HTTPTransport", "OAuthCore", "Support", "Timekeeping", "TokenStore"]),
]

/// The tests of the modules, each in a folder of its module's name in `Tests`, and its folders without sources.
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
    ["AlmanacTesting", "HTTPTransport", "HTTPTransportURLSession", "TestSupport", "Timekeeping"], []
  ),
  (
    "AlmanacTestingTests",
    ["AlmanacTesting", "HTTPTransport", "HTTPTransportCurl", "OAuthCore", "TestSupport", "Timekeeping", "TokenStore"],
    ["Transport/exchanges.txt"]
  ),
  (
    "HTTPTransportCurlTests",
    ["AlmanacTesting", "CLibcurlFaults", "HTTPTransport", "HTTPTransportCurl", "LoopbackHTTP", "TestSupport"], []
  ),
  ("TokenStoreTests", ["AlmanacTesting", "TestProcess", "TestSupport", "Timekeeping", "TokenStore"], []),
  ("AppFlipTests", ["AlmanacSandbox", "AlmanacTesting", "AppFlip", "HTTPTransport", "TestSupport", "TokenStore"], []),
  ("OAuthJOSETests", ["OAuthJOSE", "TestSupport"], ["Wycheproof"]),
  ("LoopbackHTTPTests", ["HTTPTransport", "LoopbackHTTP", "TestSupport"], []),
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
    "CalendarAPITests", ["AlmanacTesting", "CalendarAPI", "HTTPTransport", "HexColor", "TestSupport", "Timekeeping"], []
  ),
  (
    "AlmanacSandboxTests",
    [
      "AlmanacSandbox", "AlmanacTesting", "HTTPTransport", "JSONCoding", "LoopbackHTTP", "OAuthCore", "OAuthJOSE",
      "OAuthResources", "TestSupport", "Timekeeping", "TokenStore",
    ], ["Transcripts"]
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
      .target(name: "HTTPTransportCurl", condition: .when(platforms: [.linux])),
    ], ["Transcripts"]
  ),
]

/// What only the tests and benchmarks use: programs that they start, and what several of them share.
let helpers: [(name: String, path: String, isProgram: Bool, dependencies: [Target.Dependency], exclude: [String])] = [
  (
    "Benchmarks", "Benchmarks", true,
    [
      "AlmanacSandbox", "AlmanacTesting", "CAllocationCounter", "CalendarAPI", "HTTPTransport", "HexColor",
      "LoopbackHTTP", "OAuthCore", "OAuthJOSE", "Recurrence", "Timekeeping", "TokenStore",
    ], ["CAllocationCounter", "HTTP", "README.md", "gates.txt"]
  ),
  (
    "HTTPBenchmarks", "Benchmarks/HTTP", true, ["HTTPTransport", "HTTPTransportCurl", "HTTPTransportURLSession"],
    ["compare.py", "libcurl.c", "nethttp.go"]
  ),
  ("TestSupport", "Tests/TestSupport", false, [], []),
  (
    "OAuthFixtures", "Tests/OAuthFixtures", false,
    ["AlmanacTesting", "HTTPTransport", "OAuthCore", "Timekeeping", "TokenStore"], []
  ),
  (
    "InteropCredentials", "Tests/Interop/Credentials", true,
    ["GoogleCredentials", "HTTPTransport", "HTTPTransportCurl", "OAuthCore", "TokenStore"], []
  ),
  (
    "InteropSteps", "Tests/Interop/Steps", true,
    ["HTTPTransport", "HTTPTransportCurl", "OAuthCore", "OAuthJOSE", "OpenIDConnect", "Timekeeping", "TokenStore"], []
  ),
  (
    "TestProcess", "Tests/TestProcess", true,
    ["HTTPTransport", "HTTPTransportCurl", "OAuthCore", "Support", "TokenStore"], []
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
      .target(name: "CAllocationCounter", path: "Benchmarks/CAllocationCounter"),
      .target(name: "CLibcurlFaults", path: "Tests/CLibcurlFaults"),
      .target(
        name: "Support", dependencies: [.target(name: "CLinux", condition: .when(platforms: [.linux]))],
        swiftSettings: settings),
      .executableTarget(
        name: "AlmanacCLI",
        dependencies: [
          "Almanac", "AlmanacSandbox", "AppFlip", "CalendarAPI", "GoogleCredentials", "HTTPTransport", "HexColor",
          "JSONCoding", "LoopbackHTTP", "OAuthCore", "OAuthJOSE", "OAuthResources", "OAuthUserAgents", "OpenIDConnect",
          "Recurrence", "Support", "Timekeeping", "TokenStore",
          .target(name: "HTTPTransportCurl", condition: .when(platforms: [.linux])),
        ],
        swiftSettings: settings),
    ],
  swiftLanguageModes: [.v6]
)
