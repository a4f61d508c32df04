// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import TestSupport
import Testing

/// Requests and their whole responses, which the files of `Transcripts` list: status, fields, body and log, in lines that begin with `=`.
///
/// Values that differ in every run have a name in place of them. `{name}` in a request is the value of that member in the latest
/// response that had it. The options of a scenario are those of `TranscriptPlayer`.
/// `ALMANAC_RECORD_TRANSCRIPTS=1` writes the responses into the files. Read each change before you commit it.
struct TranscriptTests {
  private static let all = Transcript.all(
    in: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Transcripts"))

  @Test(arguments: all) func responsesAreTheWrittenOnes(_ transcript: Transcript) async throws {
    let player = try TranscriptPlayer(transcript.options)
    try await transcript.check {
      $0.hasPrefix("=")
    } _: { request, more in
      try await player.carryOut(request, more).map { $0.isEmpty ? "=" : "= \($0)" }
    }
  }

  @Test func everyFileIsRead() { #expect(Self.all.count >= 25) }
}
