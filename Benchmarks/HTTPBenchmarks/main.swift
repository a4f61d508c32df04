// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Sends requests for several seconds through one transport, at one concurrency, and prints a line of JSON.
///
/// `Benchmarks/HTTPBenchmarks/bench-http` starts it in turns with the other clients.
guard let load = Load(CommandLine.arguments.dropFirst()) else {
  FileHandle.standardError.write(Data((Load.usage + "\n").utf8))
  exit(2)
}
print(try await load.run())
