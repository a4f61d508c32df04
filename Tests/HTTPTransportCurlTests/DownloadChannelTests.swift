// SPDX-License-Identifier: Apache-2.0

import HTTPTransportCurl
import Synchronization
import TestSupport
import Testing

/// The pieces of a streamed body between the transport's thread and its reader.
@Suite struct DownloadChannelTests {
  private struct Fault: Error, Equatable { let number: Int }

  private final class Flag: Sendable { let isSet = Atomic(false) }

  private func receive(_ count: Int, _ channel: DownloadChannel) -> Bool {
    channel.receive([UInt8](repeating: 0x61, count: count).span)
  }

  @Test func channelTakesNoMoreThanItsCeiling() async throws {
    let channel = DownloadChannel()
    #expect(receive(DownloadChannel.ceiling - 1, channel) && receive(1, channel))
    #expect(!receive(1, channel) && receive(0, channel))
    #expect(try await channel.next {}?.count == DownloadChannel.ceiling - 1)
    #expect(receive(DownloadChannel.ceiling - 1, channel) && !receive(1, channel))
  }

  /// A paused transfer goes on once, when less than the lower mark is left.
  @Test func transferGoesOnBelowTheLowerMark() async throws {
    let channel = DownloadChannel()
    let sizes = [DownloadChannel.highWater, DownloadChannel.lowWater - 1, 1, 10, 20]
    for size in sizes { #expect(receive(size, channel)) }
    #expect(channel.pause())
    var resumed: [Int] = []
    for size in sizes { #expect(try await channel.next { resumed.append(size) }?.count == size) }
    // After the first piece, lowWater + 30 bytes are left; after the second, 31.
    #expect(resumed == [DownloadChannel.lowWater - 1])
    #expect(!channel.isPaused)
  }

  /// The pieces before an end come first, and the first end is the one that counts.
  @Test(arguments: [nil, 1]) func endFollowsThePieces(_ number: Int?) async throws {
    let channel = DownloadChannel()
    #expect(receive(3, channel) && !channel.isFinished)
    channel.finish(throwing: number.map { Fault(number: $0) })
    channel.finish(throwing: Fault(number: 2))
    #expect(channel.isFinished)
    #expect(try await channel.next {}?.count == 3)
    for _ in 1...2 {
      if let number {
        let error = await #expect(throws: Fault.self) { try await channel.next {} }
        #expect(error == Fault(number: number))
      } else {
        #expect(try await channel.next {} == nil)
      }
    }
  }

  /// A reader that waits gets a piece, or the end, at once; the piece is not kept.
  @Test(arguments: ["piece", "end", "fault"]) func readerThatWaitsIsResumed(_ event: String) async throws {
    let executor = SerialTaskExecutor()
    let channel = DownloadChannel()
    let reader = Task(executorPreference: executor) { try await channel.next {} }
    // The reader's only job has run, so it waits.
    executor.drain()
    switch event {
    case "piece":
      #expect(receive(DownloadChannel.ceiling + 1, channel), "It passes through.")
      #expect(try await reader.value?.count == DownloadChannel.ceiling + 1)
      #expect(!channel.isFull && !channel.isFinished)
    case "end":
      channel.finish(throwing: nil)
      #expect(try await reader.value == nil)
    default:
      channel.finish(throwing: Fault(number: 3))
      await #expect(throws: Fault.self) { try await reader.value }
    }
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
