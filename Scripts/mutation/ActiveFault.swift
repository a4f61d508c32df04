// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif
#if canImport(Testing)
  internal import Testing
#endif

/// Returns whether a fault is active in this process, and notes the test that has come to it.
public func isActive(_ fault: Int) -> Bool {
  let isActive = isActiveInBlock(fault)
  notePassed(fault)
  return isActive
}

/// Returns whether a fault is active in this process; the block that it is in notes the tests.
public func isActiveInBlock(_ fault: Int) -> Bool {
  fault == activeFault || (severalAreActive && activeFaults.contains(fault))
}

/// Notes the test that has come to the block of a fault: of any, or of the active ones if there are some.
public func notePassed(_ fault: Int) {
  if let record, activeFault == 0 || isActiveInBlock(fault) { record.pass(fault) }
}

private let activeFaults = Set((variable("ALMANAC_FAULTS") ?? "").split(separator: ",").compactMap { Int($0) })
private let activeFault = activeFaults.first ?? 0
private let severalAreActive = activeFaults.count > 1
private let record = variable("ALMANAC_FAULTS_PASSED").map { Record(path: $0) }

/// A file with a line for each pair of a fault and a test that has come to its place, and one for the begin of each test.
///
/// The test is "?" on threads and in tasks of no test, in other processes, and in the initializer of a global or static
/// variable, which only the first of the tests that need the variable runs.
private final class Record: Sendable {
  private let file: Int32
  private let seen = Mutex(Seen())

  private struct Seen {
    var places: [Int: Places] = [:]
    #if canImport(Testing)
      var tests: Set<SourceLocation> = []
    #endif
  }

  private struct Places {
    var isOutside = false
    #if canImport(Testing)
      var tests: Set<SourceLocation> = []
    #endif
  }

  init(path: String) {
    let number = errno
    defer { errno = number }
    file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
  }

  func pass(_ fault: Int) {
    // The place may be between a system call that failed and the reading of its error.
    let number = errno
    defer { errno = number }
    #if canImport(Testing)
      if let test = Test.current {
        let (isFirst, isNew, isOutside) = seen.withLock { seen in
          let isFirst = seen.tests.insert(test.sourceLocation).inserted
          let isNew = seen.places[fault, default: Places()].tests.insert(test.sourceLocation).inserted
          return (isFirst, isNew, seen.places[fault]!.isOutside)
        }
        // Swift Testing does not say when a test began that had to wait for others.
        if isFirst { write("begin \(seconds())", String(describing: test.id)) }
        if isNew {
          write("\(fault)", String(describing: test.id))
          if !isOutside, isInInitializer() { passOutside(fault) }
        }
        return
      }
    #endif
    passOutside(fault)
  }

  private func passOutside(_ fault: Int) {
    let isNew = seen.withLock { seen in
      defer { seen.places[fault, default: Places()].isOutside = true }
      return seen.places[fault]?.isOutside != true
    }
    if isNew { write("\(fault)", "?") }
  }

  private func write(_ note: String, _ test: String) {
    let line = Array("\(note)\t\(test)\n".utf8)
    #if canImport(Glibc)
      _ = Glibc.write(file, line, line.count)
    #elseif canImport(Musl)
      _ = Musl.write(file, line, line.count)
    #else
      _ = Darwin.write(file, line, line.count)
    #endif
  }
}

/// Returns the seconds of the clock that the events of Swift Testing show.
private func seconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Returns whether one of the functions on the stack initializes a global or static variable.
private func isInInitializer() -> Bool { returnOfInitializers.map { framesOfStack().contains($0) } ?? false }

/// The address in Swift's runtime that the initializer of a global or static variable returns to; `nil` if it is not found.
///
/// This variable has such an initializer, so that the innermost frame of the runtime is the one. It need not be in `swift_once`
/// itself, which may jump to another function, but it is in the same library.
private let returnOfInitializers: UInt? = {
  guard let once = dlsym(anyImage, "swift_once").map({ UInt(bitPattern: $0) }) else { return nil }
  return framesOfStack().first { max($0, once) - min($0, once) < 1 << 24 }
}()

/// Returns the addresses that the functions on the stack return to, the innermost first.
private func framesOfStack() -> [UInt] {
  guard let function = dlsym(anyImage, "backtrace") else { return [] }
  let backtrace = unsafeBitCast(
    function, to: (@convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32) -> Int32).self)
  // Called in no closure, which a function of the runtime could call.
  let frames = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 256)
  defer { frames.deallocate() }
  let count = backtrace(frames, 256)
  return (0..<Int(count)).map { UInt(bitPattern: frames[$0]) }
}

#if canImport(Darwin)
  private var anyImage: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: -2) }
#else
  private var anyImage: UnsafeMutableRawPointer? { nil }
#endif

/// Returns an environment variable of this process or, as tests start programs in an environment of their own, of the nearest
/// process before it that has it.
private func variable(_ name: String) -> String? {
  // As for a record, which is made at the first place that is passed.
  let number = errno
  defer { errno = number }
  if let value = getenv(name) { return String(cString: value) }
  #if os(Linux)
    var process = getppid()
    for _ in 0..<8 where process > 1 {
      let prefix = Array("\(name)=".utf8)
      for entry in contents("/proc/\(process)/environ").split(separator: 0) where entry.starts(with: prefix) {
        return String(decoding: entry.dropFirst(prefix.count), as: UTF8.self)
      }
      let status = String(decoding: contents("/proc/\(process)/status"), as: UTF8.self)
      let line = status.split(separator: "\n").first { $0.hasPrefix("PPid:\t") }
      process = line.flatMap { Int32($0.dropFirst(6)) } ?? 0
    }
  #endif
  return nil
}

#if os(Linux)
  private func contents(_ path: String) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var result: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(file, &part, part.count)
      guard count > 0 else { return result }
      result += part[..<count]
    }
  }
#endif
