// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "CalendarsApp",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "almanac", path: "../..")],
  targets: [
    .executableTarget(
      name: "CalendarsApp",
      dependencies: [
        "Almanac", "AlmanacSandbox", "CalendarAPI", "HTTPTransport", "HexColor", "OAuthCore", "OpenIDConnect",
        "TokenStore",
      ].map { .product(name: $0, package: "almanac") },
      path: ".",
      exclude: ["README.md", "Tests", "UIKit"],
      sources: ["Apple", "Model", "SwiftUI"])
  ],
  swiftLanguageModes: [.v6]
)
