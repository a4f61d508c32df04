// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "WebBackend",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "almanac", path: "../..")],
  targets: [
    .executableTarget(
      name: "WebBackend",
      dependencies: [
        "Almanac", "AlmanacSandbox", "CalendarAPI", "HTTPTransport", "LoopbackHTTP", "OAuthCore", "OpenIDConnect",
        "Timekeeping", "TokenStore",
      ].map { .product(name: $0, package: "almanac") },
      path: ".",
      exclude: ["README.md", "Tests"],
      sources: ["Main", "Model"])
  ],
  swiftLanguageModes: [.v6]
)
