import Dispatch

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
    let work = Task { await run(Array(CommandLine.arguments.dropFirst())) }
    let signals = cancelOnSignals(work)
    let status = await work.value
    signals.forEach { $0.cancel() }
    exit(status.rawValue)
  }

  private static func run(_ arguments: [String]) async -> ExitStatus {
    let environment = ProcessInfo.processInfo.environment
    do {
      let plain = try Terminal(color: "auto", environment: environment)
      guard let name = arguments.first else {
        plain.note(Command.overview)
        return .usage
      }
      if ["--help", "-h", "help"].contains(name) {
        plain.line(Command.overview)
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
      let context = try Context(command: command, arguments: arguments, environment: environment)
      do {
        try await command.run(context)
        return .success
      } catch {
        context.terminal.endProgress()
        return context.report(error)
      }
    } catch let error as UsageError {
      Failure(error).write()
      return .usage
    } catch {
      Failure(error).write()
      return ExitStatus(error)
    }
  }

  /// Ctrl-C, a closed terminal and `kill` cancel the work, so that ports are closed and nothing is left half-written.
  private static func cancelOnSignals(_ work: Task<ExitStatus, Never>) -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM, SIGHUP].map { number in
      // The default action would end the process before the source hears of it.
      _ = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { work.cancel() }
      source.resume()
      return source
    }
  }
}
