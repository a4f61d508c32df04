// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Support
  import TestSupport
  import Testing

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  @Suite(.takesTurns) struct ProgramRunTests {
    /// Whatever other code of the process has opened, and however.
    @Test func programsGetNoDescriptorsButTheirOwn() throws {
      let inheritable = FileDescriptor(owning: unsafe open("/dev/null", O_RDONLY))
      #expect(fcntl(inheritable.number, F_GETFD) & FD_CLOEXEC == 0)
      let result = try ProgramRun.run(
        "/bin/ls", ["/proc/self/fd"], environment: [:], upTo: 1000, isCancelled: { false })
      guard case .ended(status: 0, let output) = result else {
        Issue.record("\(result)")
        return
      }
      // The last one is the folder that it lists.
      #expect(String(decoding: output, as: UTF8.self) == "0\n1\n2\n3\n")
    }

    /// The result of a shell script, as text.
    private func result(of script: String, _ environment: [String: String] = [:], upTo limit: Int = 100) throws
      -> String
    {
      switch try ProgramRun.run(
        "sh", ["-c", script], environment: environment, upTo: limit, isCancelled: { false })
      {
      case .ended(let status, let output): "\(status) \(String(decoding: output, as: UTF8.self))"
      case .notStarted: "not started"
      case .tooMuchOutput: "too much"
      }
    }

    @Test(arguments: [
      ("exit 0", "0 "), ("exit 1", "1 "), ("exit 255", "255 "), ("kill -9 $$", "137 "), ("kill -15 $$", "143 "),
    ])
    func statusTellsHowAProgramEnded(_ script: String, _ outcome: String) throws {
      #expect(try result(of: script) == outcome)
    }

    @Test(arguments: [(4, "0 abcd"), (3, "too much")]) func outputIsReadUpToTheLimit(_ limit: Int, _ outcome: String)
      throws
    {
      #expect(try result(of: "printf abcd", upTo: limit) == outcome)
    }

    @Test func programReadsNothingAndItsErrorsGoNowhere() throws {
      #expect(
        try result(of: "readlink /proc/$$/fd/0 /proc/$$/fd/2 | cat; cat; echo lost >&2", ["A": "b"])
          == "0 /dev/null\n/dev/null\n")
      #expect(try result(of: "printf \"$A$HOME\"", ["A": "b"]) == "0 b", "its environment is the given one")
    }

    @Test func programThatIsNotThereIsNotStarted() throws {
      let result = try ProgramRun.run("/nowhere/program", [], environment: [:], upTo: 1, isCancelled: { false })
      guard case .notStarted = result else {
        Issue.record("\(result)")
        return
      }
    }

    @Test func processOfAnotherParentCannotBeWaitedFor() {
      #expect(ProgramStart.wait(for: getppid()) == 255)
    }
  }
#endif
