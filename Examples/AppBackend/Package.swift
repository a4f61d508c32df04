// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Returns dependencies on modules of Almanac.
func almanac(_ modules: [String]) -> [Target.Dependency] { modules.map { .product(name: $0, package: "almanac") } }

// `Apple` needs Apple's frameworks.
#if os(Linux)
  let (sources, excluded) = (["App", "Server"], ["Apple", "README.md", "Tests"])
#else
  let (sources, excluded) = (["App", "Apple", "Server"], ["README.md", "Tests"])
#endif

let package = Package(
  name: "AppBackend",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "almanac", path: "../..")],
  targets: [
    .target(
      name: "AppBackend",
      dependencies: almanac([
        "Almanac", "HTTPTransport", "LoopbackHTTP", "OAuthCore", "OAuthJOSE", "Timekeeping", "TokenStore",
      ]), path: ".", exclude: excluded, sources: sources),
    .testTarget(
      name: "AppBackendTests",
      dependencies: ["AppBackend"]
        + almanac([
          "Almanac", "AlmanacSandbox", "AlmanacTesting", "HTTPTransport", "LoopbackHTTP", "OAuthCore", "TokenStore",
        ]), path: "Tests"),
  ],
  swiftLanguageModes: [.v6]
)
