// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

// The program that cross-process tests start, and kill. Each command has a file of its own.

let commands: [String: @Sendable ([String]) async throws -> Void] = [
  "call-keyring": callKeyring,
  "call-storage": callStorage,
  "hold-lease": holdLease,
  "hold-lock": holdLock,
  "increment": increment,
  "refresh-in-database": refreshInDatabase,
  "remove": removeRecord,
  "run-without-descriptors": runWithoutDescriptors,
  "share-refresh": shareRefresh,
  "store-forever": storeForever,
  "write": write,
  "write-forever": writeForever,
]

guard let name = CommandLine.arguments.dropFirst().first, let command = commands[name] else {
  say("Usage: TestProcess \(commands.keys.sorted().joined(separator: "|")) ARGUMENT…")
  exit(64)
}
do {
  try await command(Array(CommandLine.arguments.dropFirst(2)))
} catch {
  say("\(error)")
  exit(1)
}
