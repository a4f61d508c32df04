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
  ("HTTPTransportURLSession", ["HTTPTransport", "Timekeeping"]),
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
      "AppFlip", "HTTPTransport", "JSONCoding", "LoopbackHTTP", "OAuthCore", "OAuthJOSE", "Recurrence", "Support",
      "Timekeeping",
      "TokenStore",
    ]
  ),
  ("AlmanacTesting", ["HTTPTransport", "OAuthCore", "Support", "Timekeeping", "TokenStore"]),
]

let package = Package(
  name: "almanac",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: modules.map { .library(name: $0.name, targets: [$0.name]) } + [
    .executable(name: "almanac", targets: ["AlmanacCLI"])
  ],
  targets: modules.map { .target(name: $0.name, dependencies: $0.dependencies, swiftSettings: settings) } + [
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CLibcrypto"),
    .systemLibrary(name: "CLibcurl"),
    .target(
      name: "Support", dependencies: [.target(name: "CLinux", condition: .when(platforms: [.linux]))],
      swiftSettings: settings),
    .executableTarget(
      name: "AlmanacCLI",
      dependencies: [
        "Almanac", "AlmanacSandbox", "AppFlip", "CalendarAPI", "GoogleCredentials", "HTTPTransport", "HexColor",
        "JSONCoding", "LoopbackHTTP", "OAuthCore", "OAuthJOSE", "OAuthResources", "OAuthUserAgents", "OpenIDConnect",
        "Recurrence",
        "Support", "Timekeeping", "TokenStore",
        .target(name: "HTTPTransportCurl", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: settings),
    .target(name: "CAllocationCounter", path: "Benchmarks/CAllocationCounter"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "AlmanacSandbox", "AlmanacTesting", "CAllocationCounter", "CalendarAPI", "HTTPTransport", "HexColor",
        "LoopbackHTTP", "OAuthCore", "OAuthJOSE", "Recurrence", "Timekeeping", "TokenStore",
      ],
      path: "Benchmarks",
      exclude: ["CAllocationCounter", "HTTP", "README.md", "gates.txt"],
      swiftSettings: settings),
    .executableTarget(
      name: "HTTPBenchmarks",
      dependencies: ["HTTPTransport", "HTTPTransportCurl", "HTTPTransportURLSession"],
      path: "Benchmarks/HTTP",
      exclude: ["compare.py", "libcurl.c", "nethttp.go"],
      swiftSettings: settings),

    // Tests: one folder a module, and the helper program that the cross-process tests start and kill.
    .testTarget(
      name: "SupportTests", dependencies: ["Support", "TestProcess", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "TestSupportTests", dependencies: ["TestProcess", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "JSONCodingTests", dependencies: ["JSONCoding", "TestSupport"], exclude: ["JSONTestSuite"],
      swiftSettings: settings),
    .testTarget(name: "HexColorTests", dependencies: ["HexColor", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "TimekeepingTests", dependencies: ["TestSupport", "Timekeeping"], swiftSettings: settings),
    .testTarget(
      name: "RecurrenceTests", dependencies: ["Recurrence", "TestSupport", "Timekeeping"], exclude: ["Dateutil"],
      swiftSettings: settings),
    .testTarget(
      name: "HTTPTransportTests",
      dependencies: ["AlmanacTesting", "HTTPTransport", "TestSupport", "Timekeeping"],
      swiftSettings: settings),
    .testTarget(
      name: "HTTPTransportURLSessionTests",
      dependencies: ["AlmanacTesting", "HTTPTransport", "HTTPTransportURLSession", "TestSupport", "Timekeeping"],
      swiftSettings: settings),
    .testTarget(
      name: "AlmanacTestingTests",
      dependencies: [
        "AlmanacTesting", "HTTPTransport", "HTTPTransportCurl", "OAuthCore", "TestSupport", "Timekeeping", "TokenStore",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "HTTPTransportCurlTests",
      dependencies: [
        "AlmanacTesting", "CLibcurlFaults", "HTTPTransport", "HTTPTransportCurl", "LoopbackHTTP", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "TokenStoreTests",
      dependencies: ["AlmanacTesting", "TestProcess", "TestSupport", "Timekeeping", "TokenStore"],
      swiftSettings: settings),
    .testTarget(
      name: "AppFlipTests",
      dependencies: ["AlmanacSandbox", "AlmanacTesting", "AppFlip", "HTTPTransport", "TestSupport", "TokenStore"],
      swiftSettings: settings),
    .testTarget(
      name: "OAuthJOSETests", dependencies: ["OAuthJOSE", "TestSupport"], exclude: ["Wycheproof"],
      swiftSettings: settings),
    .testTarget(
      name: "LoopbackHTTPTests",
      dependencies: ["HTTPTransport", "LoopbackHTTP", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "OAuthCoreTests",
      dependencies: [
        "AlmanacSandbox", "AlmanacTesting", "HTTPTransport", "HTTPTransportCurl", "LoopbackHTTP", "OAuthCore",
        "OAuthFixtures", "OAuthJOSE", "OAuthResources", "TestProcess", "TestSupport", "Timekeeping", "TokenStore",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "OAuthResourcesTests",
      dependencies: [
        "AlmanacSandbox", "AlmanacTesting", "HTTPTransport", "OAuthCore", "OAuthFixtures", "OAuthResources",
        "TestSupport", "Timekeeping", "TokenStore",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "OAuthUserAgentsTests",
      dependencies: [
        "AlmanacTesting", "HTTPTransport", "HTTPTransportCurl", "LoopbackHTTP", "OAuthCore", "OAuthUserAgents",
        "TestSupport", "Timekeeping", "TokenStore",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "OpenIDConnectTests",
      dependencies: [
        "AlmanacSandbox", "AlmanacTesting", "HTTPTransport", "OAuthCore", "OAuthJOSE", "OpenIDConnect", "TestSupport",
        "Timekeeping", "TokenStore",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GoogleCredentialsTests",
      dependencies: [
        "AlmanacSandbox", "AlmanacTesting", "GoogleCredentials", "HTTPTransport", "HTTPTransportCurl", "JSONCoding",
        "LoopbackHTTP", "OAuthCore", "OAuthJOSE", "TestSupport", "Timekeeping", "TokenStore",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CalendarAPITests",
      dependencies: ["AlmanacTesting", "CalendarAPI", "HTTPTransport", "HexColor", "TestSupport", "Timekeeping"],
      swiftSettings: settings),
    .testTarget(
      name: "AlmanacSandboxTests",
      dependencies: [
        "AlmanacSandbox", "AlmanacTesting", "HTTPTransport", "JSONCoding", "LoopbackHTTP", "OAuthCore", "OAuthJOSE",
        "OAuthResources", "TestSupport", "Timekeeping", "TokenStore",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "AlmanacTests",
      dependencies: [
        "Almanac", "AlmanacSandbox", "AlmanacTesting", "CalendarAPI", "HTTPTransport", "HexColor", "JSONCoding",
        "LoopbackHTTP", "OAuthCore", "OAuthJOSE", "OAuthResources", "OAuthUserAgents", "OpenIDConnect", "TestSupport",
        "Timekeeping",
        "TokenStore",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "AlmanacCLITests",
      dependencies: [
        "Almanac", "AlmanacCLI", "AlmanacSandbox", "AlmanacTesting", "CalendarAPI", "GoogleCredentials",
        "HTTPTransport", "JSONCoding", "LoopbackHTTP", "OAuthCore", "OAuthJOSE", "Recurrence", "TestSupport",
        "Timekeeping", "TokenStore",
        .target(name: "HTTPTransportCurl", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CalendarsAppTests",
      dependencies: [
        "Almanac", "AlmanacSandbox", "AlmanacTesting", "CalendarAPI", "HTTPTransport", "HexColor", "OAuthCore",
        "OpenIDConnect", "Timekeeping", "TokenStore",
      ],
      path: "Examples/CalendarsApp",
      exclude: ["Apple", "Package.swift", "README.md", "SwiftUI", "UIKit"],
      sources: ["Model", "Tests"],
      swiftSettings: settings),
    .testTarget(
      name: "LinkedAppTests",
      dependencies: ["AlmanacTesting", "AppFlip", "HTTPTransport", "OAuthCore", "TokenStore"],
      path: "Examples/LinkedApp",
      exclude: ["Apple", "LinkedApp.entitlements", "README.md", "SwiftUI", "UIKit", "apple-app-site-association"],
      sources: ["Model", "Tests"],
      swiftSettings: settings),
    .testTarget(
      name: "AgendaServiceTests",
      dependencies: [
        "Almanac", "AlmanacSandbox", "AlmanacTesting", "CalendarAPI", "HTTPTransport", "OAuthCore", "Timekeeping",
        "TokenStore",
      ],
      path: "Examples/AgendaService",
      exclude: ["README.md"],
      sources: ["Model", "Tests"],
      swiftSettings: settings),
    .testTarget(
      name: "AppBackendTests",
      dependencies: [
        "Almanac", "AlmanacSandbox", "AlmanacTesting", "HTTPTransport", "LoopbackHTTP", "OAuthCore",
        "OAuthJOSE", "TestSupport", "Timekeeping", "TokenStore",
      ],
      path: "Examples/AppBackend",
      exclude: ["Apple", "README.md"],
      sources: ["App", "Server", "Tests"],
      swiftSettings: settings),
    .testTarget(
      name: "WebBackendTests",
      dependencies: [
        "Almanac", "AlmanacSandbox", "AlmanacTesting", "CalendarAPI", "HTTPTransport", "LoopbackHTTP", "OAuthCore",
        "OpenIDConnect", "TestSupport", "Timekeeping", "TokenStore",
      ],
      path: "Examples/WebBackend",
      exclude: ["Main", "Package.swift", "README.md"],
      sources: ["Model", "Tests"],
      swiftSettings: settings),
    .target(name: "CLibcurlFaults", path: "Tests/CLibcurlFaults"),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
    .target(
      name: "OAuthFixtures",
      dependencies: ["AlmanacTesting", "HTTPTransport", "OAuthCore", "Timekeeping", "TokenStore"],
      path: "Tests/OAuthFixtures", swiftSettings: settings),
    .executableTarget(
      name: "InteropCredentials",
      dependencies: ["GoogleCredentials", "HTTPTransport", "HTTPTransportCurl", "OAuthCore", "TokenStore"],
      path: "Tests/Interop/Credentials",
      swiftSettings: settings),
    .executableTarget(
      name: "InteropSteps",
      dependencies: [
        "HTTPTransport", "HTTPTransportCurl", "OAuthCore", "OAuthJOSE", "OpenIDConnect", "Timekeeping", "TokenStore",
      ],
      path: "Tests/Interop/Steps",
      swiftSettings: settings),
    .executableTarget(
      name: "TestProcess",
      dependencies: [
        "HTTPTransport", "HTTPTransportCurl", "OAuthCore", "Support", "TokenStore",
      ],
      path: "Tests/TestProcess",
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
