// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@main
struct Main {
  static func main() async {
    // A closed pipe must not end the program before it has cleaned up: the write fails instead.
    _ = signal(SIGPIPE, SIG_IGN)
    Signals.catchAll()
    let arguments = Array(CommandLine.arguments.dropFirst())
    let isJSON = arguments.prefix { $0 != "--" }.contains("--json")
    let output = Output()
    let work = Task { try await run(arguments, output) }
    output.onFault { work.cancel() }
    Signals.forward { work.cancel() }
    let status = status(of: await work.result, output.fault, isJSON: isJSON)
    exit(status.rawValue)
  }

  /// The exit status, after the error message, if there is one, was written.
  private static func status(
    of result: Result<ExitStatus, any Error>, _ fault: Output.Fault?, isJSON: Bool
  ) -> ExitStatus {
    do {
      let status = try result.get()
      if fault != nil { throw CancellationError() }
      return status
    } catch is CancellationError where fault == .closed {
      // The reader has what it wanted, as behind `head`.
      return .success
    } catch {
      let error = fault == .failed && error is CancellationError ? OutputError() : error
      Failure(error).write(asJSON: isJSON)
      return ExitStatus(error)
    }
  }

  private static func run(_ arguments: [String], _ output: Output) async throws -> ExitStatus {
    let environment = ProcessInfo.processInfo.environment
    let plain = try Terminal(color: "auto", environment: environment, output: output)
    guard let name = arguments.first else {
      plain.note(Command.overview)
      return .usage
    }
    if ["--help", "-h", "help"].contains(name) {
      plain.line(Command.overview)
      return .success
    }
    if name == "--version" {
      plain.line("almanac \(Command.version)")
      return .success
    }
    guard let command = Command.all.first(where: { $0.name == name }) else {
      throw UsageError(
        "There is no such command. The commands are \(Command.all.map(\.name).joined(separator: ", ")).")
    }
    let arguments = try Arguments(arguments.dropFirst(), for: command)
    if arguments.has("help") {
      plain.line(command.help)
      return .success
    }
    let context = try Context(command: command, arguments: arguments, environment: environment, output: output)
    defer { context.terminal.endProgress() }
    try await command.run(context)
    return .success
  }
}

/// Standard output could not be written, so what was requested is not done.
private struct OutputError: Error, CustomStringConvertible {
  var description: String {
    "The output could not be written: it is cut. Check the disk, or the program that standard output leads to."
  }
}
