// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Returns dependencies on modules of Almanac.
func almanac(_ modules: [String]) -> [Target.Dependency] { modules.map { .product(name: $0, package: "almanac") } }

let package = Package(
  name: "AgendaService",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "almanac", path: "../..")],
  targets: [
    .target(
      name: "AgendaService",
      dependencies: almanac(["Almanac", "CalendarAPI", "HTTPTransport", "OAuthCore", "Timekeeping", "TokenStore"]),
      path: ".", exclude: ["README.md", "Tests"], sources: ["Model"]),
    .testTarget(
      name: "AgendaServiceTests",
      dependencies: ["AgendaService"]
        + almanac([
          "Almanac", "AlmanacSandbox", "AlmanacTesting", "CalendarAPI", "HTTPTransport", "OAuthCore", "Timekeeping",
          "TokenStore",
        ]), path: "Tests"),
  ],
  swiftLanguageModes: [.v6]
)
