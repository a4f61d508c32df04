// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "agenda",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "https://github.com/OWNER/almanac", from: "0.1.0")],
  targets: [
    .executableTarget(
      name: "agenda",
      dependencies: [
        .product(name: "Almanac", package: "almanac"),
        .product(name: "AlmanacSandbox", package: "almanac"),
      ])
  ]
)
