// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Returns dependencies on modules of Almanac.
func almanac(_ modules: [String]) -> [Target.Dependency] { modules.map { .product(name: $0, package: "almanac") } }

let package = Package(
  name: "WebBackend",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "almanac", path: "../..")],
  targets: [
    .executableTarget(
      name: "WebBackend",
      dependencies: almanac([
        "Almanac", "AlmanacSandbox", "CalendarAPI", "HTTPTransport", "LoopbackHTTP", "OAuthCore", "OpenIDConnect",
        "Timekeeping", "TokenStore",
      ]), path: ".", exclude: ["README.md", "Tests"], sources: ["Main", "Model"]),
    .testTarget(
      name: "WebBackendTests",
      dependencies: ["WebBackend"]
        + almanac([
          "Almanac", "AlmanacSandbox", "AlmanacTesting", "HTTPTransport", "LoopbackHTTP", "OAuthCore", "Timekeeping",
          "TokenStore",
        ]), path: "Tests"),
  ],
  swiftLanguageModes: [.v6]
)
