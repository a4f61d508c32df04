// SPDX-License-Identifier: Apache-2.0

import Support
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The behaviour of both readiness sets.
///
/// Only one of them serves on each platform; poll(2) is everywhere.
@Suite struct ReadinessSetTests {
  @Test func pollSetTellsWhatIsReady() throws {
    let set = try #require(PollSet())
    try check(
      add: { set.add($0, $1, id: $2) }, change: { set.change($0, $1, id: $2) }, remove: { set.remove($0) },
      wait: { set.wait(milliseconds: 0, into: &$0) })
  }

  #if !canImport(Darwin)
    @Test func epollSetTellsWhatIsReady() throws {
      let set = try #require(EpollSet())
      try check(
        add: { set.add($0, $1, id: $2) }, change: { set.change($0, $1, id: $2) }, remove: { set.remove($0) },
        wait: { set.wait(milliseconds: 0, into: &$0) })
    }
  #endif

  @Test func pollSetTellsWhatFails() throws {
    let set = try #require(PollSet())
    let pipe = try Self.pipeWithoutReader()
    #expect(set.add(pipe.number, .reading, id: 1))
    // No process has as many descriptors open.
    #expect(set.add(.max, [], id: 2))
    var ready: [ReadyDescriptor] = []
    set.wait(milliseconds: 0, into: &ready)
    #expect(ready.map(\.id) == [1, 2])
    #expect(ready.map(\.readiness) == [.failing, .failing])
  }

  #if !canImport(Darwin)
    @Test func epollSetTellsWhatFails() throws {
      let set = try #require(EpollSet())
      let pipe = try Self.pipeWithoutReader()
      #expect(set.add(pipe.number, .reading, id: 1))
      #expect(!set.add(.max, .reading, id: 2))
      var ready: [ReadyDescriptor] = []
      set.wait(milliseconds: 0, into: &ready)
      #expect(ready.map(\.id) == [1])
      #expect(ready.map(\.readiness) == [.failing])
    }

    @Test("All that are ready are told, however many", arguments: [1, 63, 64, 65, 513])
    func everyReadyDescriptorIsTold(count: Int) throws {
      let set = try #require(EpollSet())
      let pipe = try #require(Pipe())
      var copies: [Int32] = []
      defer { for copy in copies { close(copy) } }
      for id in 0..<count {
        copies.append(dup(pipe.writeEnd.number))
        #expect(set.add(copies[id], .writing, id: id))
      }
      var ready: [ReadyDescriptor] = []
      for _ in 0..<2 {
        set.wait(milliseconds: -1, into: &ready)
        #expect(ready.map(\.id).sorted() == Array(0..<count))
      }
    }
  #endif

  /// The end of a pipe to write to, whose other end is closed.
  private static func pipeWithoutReader() throws -> FileDescriptor {
    var ends: [Int32] = [-1, -1]
    // The array holds the two elements that pipe(2) writes.
    try #require(unsafe pipe(&ends) == 0)
    close(ends[0])
    return FileDescriptor(owning: ends[1])
  }

  private func check(
    add: (Int32, Readiness, Int) -> Bool, change: (Int32, Readiness, Int) -> Void, remove: (Int32) -> Void,
    wait fill: (inout [ReadyDescriptor]) -> Void
  ) throws {
    var ready: [ReadyDescriptor] = []
    func wait() -> [Int] {
      fill(&ready)
      return ready.map(\.id)
    }
    var pairs: [[Int32]] = []
    defer { for end in pairs.joined() { close(end) } }
    for id in 0..<4 {
      var ends: [Int32] = [-1, -1]
      // The array holds the two elements that socketpair(2) writes.
      #if canImport(Glibc)
        let type = Int32(SOCK_STREAM.rawValue)
      #else
        let type = SOCK_STREAM
      #endif
      try #require(unsafe socketpair(AF_UNIX, type, 0, &ends) == 0)
      pairs.append(ends)
      #expect(add(ends[0], .reading, id + 10))
    }
    #expect(wait().isEmpty)
    try send(to: pairs[2][1])
    #expect(wait() == [12])
    #expect(wait() == [12], "What is not taken stays ready.")
    remove(pairs[2][0])
    #expect(wait().isEmpty)
    try send(to: pairs[3][1])
    #expect(wait() == [13], "The entry that took the place of the removed one is known by its identifier.")
    change(pairs[0][0], .writing, 10)
    #expect(wait().sorted() == [10, 13])
    change(pairs[3][0], [.reading, .writing], 13)
    #expect(wait().count == 2)
    #expect(ready.first { $0.id == 13 }?.readiness == [.reading, .writing])
    #expect(ready.first { $0.id == 10 }?.readiness == .writing)
    try send(to: pairs[0][1])
    #expect(wait().count == 2)
    #expect(ready.first { $0.id == 10 }?.readiness == .writing, "It is not watched for reading.")
    remove(pairs[0][0])
    remove(pairs[3][0])
    #expect(add(pairs[2][0], .reading, 22))
    #expect(wait() == [22])
    close(pairs[1][1])
    pairs[1].removeLast()
    #expect(wait().sorted() == [11, 22], "A lost peer counts as ready.")
    #expect(ready.first { $0.id == 11 }?.readiness.contains(.reading) == true, "Reading tells that it is lost.")
  }

  private func send(to end: Int32) throws {
    var byte: UInt8 = 1
    // One byte is written from a local of one byte.
    try #require(unsafe write(end, &byte, 1) == 1)
  }
}

/// The time of a wait, which may be too long by less than a millisecond, and is never too short.
@Suite struct MillisecondsToWaitTests {
  @Test(
    arguments: [
      (.zero, 0), (.nanoseconds(-1), 0), (.seconds(-5), 0), (.nanoseconds(1), 1), (.microseconds(999), 1),
      (Duration(secondsComponent: 0, attosecondsComponent: 1), 1), (.milliseconds(1), 1),
      (.milliseconds(1) + .nanoseconds(1), 2), (.milliseconds(2), 2), (.milliseconds(1999), 1999), (.seconds(1), 1000),
      (.seconds(86_400), 86_400_000), (.milliseconds(2_147_483_646), 2_147_483_646),
      (.milliseconds(2_147_483_647), .max), (.milliseconds(2_147_483_648), .max), (.seconds(4_000_000_000_000), .max),
      (.seconds(Int64.max), .max), (.seconds(Int64.min), 0),
    ] as [(Duration, Int32)])
  func timeIsRoundedUp(_ time: Duration, _ milliseconds: Int32) {
    #expect(time.millisecondsToWait == milliseconds)
  }
}
