// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import AlmanacTesting
  import Foundation
  import HTTPTransport
  import OAuthCore
  import OAuthUserAgents
  import Synchronization
  import TestSupport
  import Testing

  /// Each test runs in a process of its own, since the environment belongs to the whole process.
  @Suite(.takesTurns) struct SystemBrowserTests {
    @Test func environmentSaysWhichProgramOpensAURL() async {
      await #expect(processExitsWith: .success) {
        let programs = try Programs()
        defer { programs.remove() }
        let url = URL(literal: "https://login.example/?a=1&b=2")
        let browser = programs.path("browser")
        for (variables, expected) in [
          (["BROWSER": browser], "browser"),
          (["BROWSER": "\(browser):other", "DISPLAY": ":0"], "browser"),
          // A command with arguments is left to xdg-open.
          (["BROWSER": "\(browser) %s", "DISPLAY": ":0"], "xdg-open"), (["BROWSER": "\(browser) %s"], nil),
          (["BROWSER": "\(browser)%s"], nil),
          (["BROWSER": "", "DISPLAY": ":0"], "xdg-open"), (["DISPLAY": ":0"], "xdg-open"),
          (["WAYLAND_DISPLAY": "wayland-0"], "xdg-open"), (["WSL_DISTRO_NAME": "Debian"], "xdg-open"),
          (["DISPLAY": ""], nil), ([:], nil), (["BROWSER": programs.path("missing"), "DISPLAY": ":0"], nil),
        ] as [([String: String], String?)] {
          programs.setEnvironment(variables)
          #expect(SystemBrowser.open(url) == (expected != nil), "\(variables)")
          guard let expected else { continue }
          #expect(try await programs.nextCall() == "\(expected) \(url.absoluteString)", "\(variables)")
        }
      }
    }

    @Test func onlyURLsOfTheWebAreOpened() async {
      await #expect(processExitsWith: .success) {
        let programs = try Programs()
        defer { programs.remove() }
        programs.setEnvironment(["BROWSER": programs.path("browser")])
        for text in ["file:///etc/passwd", "mailto:a@b.example", "javascript:alert(1)", "/relative"] {
          #expect(!SystemBrowser.open(try #require(URL(string: text))), "\(text)")
        }
        #expect(SystemBrowser.open(URL(literal: "http://127.0.0.1:1/")))
        #expect(try await programs.nextCall() == "browser http://127.0.0.1:1/")
      }
    }

    @Test func userSeesTheAuthorizationURLAndTheBrowserThatOfTheHandoff() async {
      await #expect(processExitsWith: .success) {
        let programs = try Programs()
        defer { programs.remove() }
        for (handoff, prefix) in [
          (LoopbackUserAgent.Handoff.link, "browser http://127.0.0.1:"),
          (.privateFile, "browser file://\(programs.folder.path())"),
        ] {
          for browser in ["browser", "missing", nil] {
            programs.setEnvironment(browser.map { ["BROWSER": programs.path($0)] } ?? [:])
            let announced = Mutex<[String]>([])
            let agent = LoopbackUserAgent.systemBrowser(clock: ManualClock(skipsWaits: true), handoff: handoff) {
              let line = "\($0.absoluteString) \($1)"
              announced.withLock { $0.append(line) }
            }
            let client = try Fixtures.client(clock: ManualClock())
            let shown = Mutex<URL?>(nil)
            // The time limit of a clock that waits for nothing is over at once.
            await #expect(throws: OAuthError.self) {
              try await agent.authorize {
                let pending = try await client.beginAuthorization(scopes: [], redirectURI: $0)
                shown.withLock { $0 = pending.authorizationURL }
                return pending
              }
            }
            let url = try #require(shown.withLock { $0 })
            #expect(announced.withLock { $0 } == ["\(url.absoluteString) \(browser == "browser")"])
            if browser == "browser" { #expect(try await programs.nextCall().hasPrefix(prefix)) }
          }
        }
      }
    }
  }

  /// Programs in a folder for temporary files, which write their name and arguments into a pipe.
  private struct Programs {
    let folder: URL
    private let pipe: String

    init() throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "browsers-\(UUID().uuidString)")
      pipe = folder.appending(path: "calls").path()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      // The path is passed as a C string that lives for the call.
      try #require(unsafe mkfifo(pipe, 0o600) == 0)
      for name in ["browser", "xdg-open"] {
        try "#!/bin/sh\necho \"\(name) $@\" > '\(pipe)'\n".write(
          toFile: path(name), atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path(name))
      }
      // The strings live through the calls.
      unsafe setenv("PATH", "\(folder.path()):/usr/bin:/bin", 1)
      unsafe setenv("TMPDIR", folder.path(), 1)
    }

    func path(_ name: String) -> String { folder.appending(path: name).path() }

    /// Sets the variables that select a browser, and no other ones.
    func setEnvironment(_ variables: [String: String]) {
      for name in ["BROWSER", "DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"] {
        unsafe unsetenv(name)  // the name lives through the call
        if let value = variables[name] { unsafe setenv(name, value, 1) }
      }
    }

    /// Waits for a program that was started, and returns its name and arguments.
    func nextCall() async throws -> String {
      let text = await withCheckedContinuation { continuation in
        // A thread of its own: opening and reading block.
        Thread.detachNewThread { continuation.resume(returning: try? FileHandle(forReadingAtPath: pipe)?.readToEnd()) }
      }
      return String(decoding: try #require(text).dropLast(), as: UTF8.self)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
  }
#endif
