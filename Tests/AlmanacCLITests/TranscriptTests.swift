// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import OAuthCore
import Synchronization
import TestSupport
import Testing
import Timekeeping
import TokenStore

/// Commands with their complete output, as listed in the files of `Transcripts`.
///
/// - `$ ARGUMENTS` runs a command; `> ARGUMENTS` runs it at a terminal. Quotes keep spaces, and `~` is the user's folder.
/// - Indented lines are the user's input. `ALLOW` and `DENY` stand for the callback of the URL that was shown.
/// - `= ` begins a line of standard output, `! ` one of standard error, `? ` an exit status that is not 0.
/// - `SERVE METHOD URL STATUS` with fields and a body sets a response; `SENT` shows the requests since the last time, without
///   bearer tokens and the fields that every request has, and `SENT CHANGES` those that are not GET.
/// - `SIGN-IN SCOPES` signs in quietly.
/// - `ENV NAME=VALUE`, `FILE NAME` with its content, `SHOW NAME`, `ADVANCE SECONDS`, `REVOKE`, `REJECT`, `DEVICE ALLOW` and `DEVICE DENY`.
///
/// In a section with the option `whole`, the output is complete; in others, sign-ins show their URLs without the sentences around
/// them, and JSON is on one line.
///
/// `ALMANAC_RECORD_TRANSCRIPTS=1` writes the actual output to the files. Read each change before you commit it.
@Suite(.takesTurns) struct TranscriptTests {
  private static let all = Transcript.all(
    in: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Transcripts"))

  @Test(arguments: all) func outputMatchesTheTranscript(_ transcript: Transcript) async throws {
    let player = try CommandPlayer(transcript.options)
    try await transcript.check { line in
      ["=", "!"].contains(line) || ["= ", "! ", "? "].contains { line.hasPrefix($0) }
    } _: { command, more in
      try await player.carryOut(command, more)
    }
  }

  @Test func everyFileIsRead() { #expect(Self.all.count >= 30) }
}
