// SPDX-License-Identifier: Apache-2.0

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
    StandardConsole.replaceClosedStreams()
    // A write to a closed pipe then fails. By default, it would end the program before the program has cleaned up.
    _ = signal(SIGPIPE, SIG_IGN)
    Signals.catchAll()
    let console = StandardConsole()
    let program = Program(services: .system(console))
    let work = Task { await program.run(Array(CommandLine.arguments.dropFirst())) }
    console.onFault { work.cancel() }
    Signals.forward { work.cancel() }
    exit((await work.value).rawValue)
  }
}
