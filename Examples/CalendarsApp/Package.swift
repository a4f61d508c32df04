// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Returns dependencies on modules of Almanac.
func almanac(_ modules: [String]) -> [Target.Dependency] { modules.map { .product(name: $0, package: "almanac") } }

let excluded = ["README.md", "Tests", "UIKit"]

// The screens need Apple's frameworks; the model and its tests do not.
#if os(Linux)
  let app = Target.target(
    name: "CalendarsApp",
    dependencies: almanac([
      "Almanac", "AlmanacSandbox", "CalendarAPI", "HTTPTransport", "HexColor", "OAuthCore", "OpenIDConnect",
      "TokenStore",
    ]), path: ".", exclude: excluded + ["Apple", "SwiftUI"], sources: ["Model"])
#else
  let app = Target.executableTarget(
    name: "CalendarsApp",
    dependencies: almanac([
      "Almanac", "AlmanacSandbox", "CalendarAPI", "HTTPTransport", "HexColor", "OAuthCore", "OpenIDConnect",
      "TokenStore",
    ]), path: ".", exclude: excluded, sources: ["Apple", "Model", "SwiftUI"])
#endif

let package = Package(
  name: "CalendarsApp",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "almanac", path: "../..")],
  targets: [
    app,
    .testTarget(
      name: "CalendarsAppTests",
      dependencies: ["CalendarsApp"]
        + almanac([
          "Almanac", "AlmanacSandbox", "AlmanacTesting", "HTTPTransport", "HexColor", "OAuthCore", "Timekeeping",
          "TokenStore",
        ]), path: "Tests"),
  ],
  swiftLanguageModes: [.v6]
)
