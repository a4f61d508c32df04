// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(CLibcrypto)
  import CLibcrypto
#endif

/// A run of this program under callgrind, which counts the executed instructions.
enum Callgrind {
  /// The folder of the profiles, one for each row.
  private static let folder = ".build/counts"

  /// Counts the rows that a filter selects.
  static func counts(filter: String) throws -> [Count] {
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let copy = "\(folder)/program"
    // Valgrind 3.19 ends when it reads Swift's debug information.
    _ = try output(of: "strip", ["-g", "-o", copy, CommandLine.arguments[0]])
    let lines = try output(
      of: "valgrind",
      [
        "--tool=callgrind", "--quiet", "--instr-atstart=no", "--callgrind-out-file=\(folder)/callgrind.out",
        copy, Counting.argument, "--filter", filter,
      ])
    return try lines.split(separator: "\n").enumerated().map { index, line in
      let total =
        try String(contentsOfFile: profile(index), encoding: .utf8)
        .split(separator: "\n").last { $0.hasPrefix("totals: ") } ?? ""
      return try Count(
        line: line.replacingOccurrences(of: Counting.instructions, with: total.dropFirst("totals: ".count)))
    }
  }

  private static func profile(_ index: Int) -> String { "\(folder)/callgrind.out.\(index + 1)" }

  /// Returns the command that shows where the instructions of a counted row are executed.
  static func annotation(_ index: Int) -> String {
    "callgrind_annotate \(profile(index)) | swift demangle --simplified | head -50"
  }

  /// Returns the versions that can change every count: those of the compiler, the system and the C library.
  static func toolchain() throws -> String {
    try (output(of: "swift", ["--version"]) + output(of: "getconf", ["GNU_LIBC_VERSION"]))
      .split(separator: "\n").joined(separator: ", ")
  }

  /// Returns the versions of valgrind and libcrypto.
  static func tools() throws -> String {
    let valgrind = try output(of: "valgrind", ["--version"]).split(separator: "\n").joined()
    #if canImport(CLibcrypto)
      // The library returns a constant text.
      return unsafe "\(valgrind), \(String(cString: OpenSSL_version(OPENSSL_VERSION)))"
    #else
      return valgrind
    #endif
  }

  /// Runs a program in an environment without other variables, and returns its output.
  private static func output(of name: String, _ arguments: [String]) throws -> String {
    let variables = ProcessInfo.processInfo.environment
    let path = variables["PATH"] ?? "/usr/bin:/bin"
    let candidates = path.split(separator: ":").map { "\($0)/\(name)" }
    guard let program = candidates.first(where: FileManager.default.isExecutableFile) else {
      throw Failure("\(name) is missing. Counting needs Linux, valgrind and strip: apt-get install valgrind binutils")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = [
      "HOME": variables["HOME"] ?? "/", "LC_ALL": "C", "PATH": path, "SWIFT_DETERMINISTIC_HASHING": "1", "TZ": "UTC",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure("\(name) failed with status \(process.terminationStatus).\n\(output)")
    }
    return output
  }
}
