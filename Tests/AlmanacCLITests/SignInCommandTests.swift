// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import Foundation
import HTTPTransport
import LoopbackHTTP
import TestSupport
import Testing
import TokenStore

/// `almanac sign-in`, with the test as the browser.
@Suite(.takesTurns) struct SignInCommandTests {
  private let almanac: BuiltCommand

  init() throws { almanac = try BuiltCommand() }

  @Test func interruptedSignInIsStatus130AndClosesItsPort() async throws {
    let sandbox = Sandbox()
    let server = try await sandbox.serve()
    let command = try almanac.start(["sign-in", "--issuer", server.url.absoluteString, "--client-id", "almanac"])
    var redirect: URL?
    for await line in command.lines where line.hasPrefix("http") {
      let query = FormEncoding.form.decode(try #require(URL(string: line)?.query(percentEncoded: true)))
      redirect = query["redirect_uri"].flatMap { URL(string: $0) }
      command.interrupt()
    }
    #expect(await command.exitStatus() == 130)
    let port = try #require(redirect)
    let error = await #expect(throws: TransportError.self) {
      try await DefaultTransport().send(HTTPRequest(.get, port))
    }
    #expect(error?.code == .unreachable)
    await server.stop()
  }

  @Test(arguments: [
    (["--prompt", "select_account"], "select_account"), (["--issuer", "https://accounts.google.com"], "consent"),
  ])
  func signInAtGoogleRequestsARefreshToken(_ options: [String], _ prompt: String) async throws {
    // Google is unreachable, so the client is not checked before the page.
    let command = try almanac.start(
      ["sign-in", "--client-id", "almanac"] + options, ["https_proxy": "http://127.0.0.1:1"])
    var url = ""
    for await line in command.lines where line.hasPrefix("https://accounts.google.com/") {
      url = line
      command.interrupt()
    }
    #expect(await command.exitStatus() == 130)
    #expect(url.contains("access_type=offline") && url.contains("prompt=\(prompt)"), "\(url)")
  }

  #if os(Linux)
    @Test func programThatOpensTheBrowserDoesNotSeeTheState() async throws {
      let sandbox = Sandbox()
      let server = try await sandbox.serve()
      // The script sends its arguments through a pipe. The test then opens the link like a browser.
      let (program, pipe) = (
        almanac.home.appending(path: "browser").path(), almanac.home.appending(path: "arguments").path()
      )
      try "#!/bin/sh\necho \"$@\" > '\(pipe)'\n".write(toFile: program, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
      try #require(unsafe mkfifo(pipe, 0o600) == 0)
      let seen = try ChildProcess(executable: URL(filePath: "/bin/cat"), [pipe])
      let command = try almanac.start(
        ["sign-in", "--issuer", server.url.absoluteString, "--client-id", "almanac"], ["BROWSER": program])
      for await line in command.lines where line.hasPrefix("http") {
        let arguments = await seen.lines.reduce(into: "") { $0 += $1 }
        let query = FormEncoding.form.decode(try #require(URL(string: line)?.query(percentEncoded: true)))
        for name in ["state", "nonce", "code_challenge"] {
          #expect(!arguments.contains(try #require(query[name])), "\(name) is in the process table")
        }
        let link = try #require(URL(string: arguments))
        let opened = try await DefaultTransport(limits: .init(redirects: 0)).send(HTTPRequest(.get, link))
        let address = try #require(opened.fields["Location"].flatMap { URL(string: $0) })
        _ = try await DefaultTransport().send(HTTPRequest(.get, try sandbox.approve(address)))
      }
      #expect(await command.exitStatus() == 0)
      await server.stop()
    }
  #endif

  @Test func callbackIsReadFromAPipe() async throws {
    let sandbox = Sandbox()
    let server = try await sandbox.serve()
    let result = try await almanac.shell(
      "(sleep 0.2; echo 'http://127.0.0.1:4711/callback?state=another&code=s3cret') | almanac sign-in --no-browser --json "
        + "--redirect-port 4711 --client-id almanac --issuer \(server.url.absoluteString)")
    #expect(result.status == 1)
    #expect(result.said.contains("stateMismatch"))
    #expect(!result.said.contains("s3cret"))
    await server.stop()
  }
}
