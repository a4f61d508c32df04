// SPDX-License-Identifier: Apache-2.0

import HTTPTransportCurl
import Synchronization
import TestSupport
import Testing

/// The pieces of a streamed body between the transport's thread and its reader.
@Suite struct DownloadChannelTests {
  private final class Flag: Sendable { let isSet = Atomic(false) }

  private func receive(_ count: Int, _ channel: DownloadChannel) -> Bool {
    channel.receive([UInt8](repeating: 0x61, count: count).span)
  }

  /// A reader that never has to wait lets others run after a mebibyte.
  @Test func readerThatNeverWaitsYields() async throws {
    let piece = 64 << 10
    let executor = SerialTaskExecutor()
    let channel = DownloadChannel()
    for _ in 1...40 { #expect(receive(piece, channel)) }
    let other = Flag()
    let count = try await Task(executorPreference: executor) { () -> Int? in
      Task(executorPreference: executor) { other.isSet.store(true, ordering: .relaxed) }
      for count in 1...40 {
        _ = try await channel.next {}
        if other.isSet.load(ordering: .relaxed) { return count }
      }
      return nil
    }.value
    #expect(count == DownloadChannel.unbrokenLimit / piece + 1)
  }
}
