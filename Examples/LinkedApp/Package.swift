// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Returns dependencies on modules of Almanac.
func almanac(_ modules: [String]) -> [Target.Dependency] { modules.map { .product(name: $0, package: "almanac") } }

let excluded = ["LinkedApp.entitlements", "README.md", "Tests", "UIKit", "apple-app-site-association"]

// The screens need Apple's frameworks; the model and its tests do not.
#if os(Linux)
  let app = Target.target(
    name: "LinkedApp", dependencies: almanac(["AppFlip", "HTTPTransport", "OAuthCore", "TokenStore"]), path: ".",
    exclude: excluded + ["Apple", "SwiftUI"], sources: ["Model"])
#else
  let app = Target.executableTarget(
    name: "LinkedApp", dependencies: almanac(["AppFlip", "HTTPTransport", "OAuthCore", "TokenStore"]), path: ".",
    exclude: excluded, sources: ["Apple", "Model", "SwiftUI"])
#endif

let package = Package(
  name: "LinkedApp",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "almanac", path: "../..")],
  targets: [
    app,
    .testTarget(
      name: "LinkedAppTests",
      dependencies: ["LinkedApp"] + almanac(["AlmanacTesting", "AppFlip", "HTTPTransport", "OAuthCore", "TokenStore"]),
      path: "Tests"),
  ],
  swiftLanguageModes: [.v6]
)
