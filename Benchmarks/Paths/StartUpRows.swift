// SPDX-License-Identifier: Apache-2.0

import BenchmarkHarness
import Foundation

/// The duration of a process, from start to end.
enum StartUpRows {
  /// The argument with which this program does nothing.
  static let nothing = "--nothing"

  static var rows: [Row] {
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    let command = program.deletingLastPathComponent().appending(path: "almanac").path(percentEncoded: false)
    guard FileManager.default.isExecutableFile(atPath: command) else {
      print("start-up: build the command first, with swift build -c release --product almanac")
      return []
    }
    return [
      Row(
        "start-up", "almanac --help", ours: contender("almanac", command, ["--help"]),
        baselines: [
          contender(
            "Swift with Foundation", program.path(percentEncoded: false), [nothing], doesLess: "starts and ends"),
          contender("C", "/bin/true", [], doesLess: "starts and ends"),
        ])
    ]
  }

  private static func contender(
    _ name: String, _ path: String, _ arguments: [String], doesLess: String? = nil
  ) -> Contender {
    Contender(
      name, doesLess: doesLess, check: { run(path, arguments) == 0 ? nil : "\(path) does not work" },
      { Int(run(path, arguments)) })
  }

  /// Starts a process without output, waits for its end, and returns its exit status.
  private static func run(_ path: String, _ arguments: [String]) -> Int32 {
    // `Process` polls for the end every 50 ms. All pointers are valid during the calls; the lists of arguments and variables end
    // with `nil`.
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    var pointers = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }
    var (process, status): (pid_t, Int32) = (0, -1)
    guard unsafe posix_spawn(&process, path, &actions, nil, &pointers, environ) == 0 else { return -1 }
    while unsafe waitpid(process, &status, 0) < 0 { if errno != EINTR { return -1 } }
    return status
  }
}
