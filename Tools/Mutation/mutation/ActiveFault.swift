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

/// Returns whether a fault is active in this process, and records the test that reached it.
public func isActive(_ fault: Int) -> Bool {
  let isActive = isActiveInBlock(fault)
  notePassed(fault)
  return isActive
}

/// Returns whether a fault is active in this process, while the enclosing block records the tests.
public func isActiveInBlock(_ fault: Int) -> Bool {
  fault == activeFault || (severalAreActive && activeFaults.contains(fault))
}

/// Records the test that reached the block of a fault: of any fault, or only of the active ones if there are any.
public func notePassed(_ fault: Int) {
  if let record, activeFault == 0 || isActiveInBlock(fault) { record.pass(fault) }
}

private let activeFaults = Set((variable("ALMANAC_FAULTS") ?? "").split(separator: ",").compactMap { Int($0) })
private let activeFault = activeFaults.first ?? 0
private let severalAreActive = activeFaults.count > 1
private let record = variable("ALMANAC_FAULTS_PASSED").map { Record(path: $0) }

/// A file with a line for each pair of a fault and a test that reached its place, and a line for the start of each test.
///
/// The test is "?" on threads and in tasks outside tests, and in other processes. It is also "?" in the initializer of a global or static
/// variable, which only the first test that needs the variable runs.
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
    // The place can be between a failed system call and the reading of its error.
    let number = errno
    defer { errno = number }
    #if canImport(Testing)
      if let test = Test.current {
        let (isFirst, isNew, isOutside) = seen.withLock { seen in
          let isFirst = seen.tests.insert(test.sourceLocation).inserted
          let isNew = seen.places[fault, default: Places()].tests.insert(test.sourceLocation).inserted
          return (isFirst, isNew, seen.places[fault]?.isOutside == true)
        }
        // Swift Testing does not report the start of a test that had to wait for others.
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

/// Returns the seconds of the clock in Swift Testing's events.
private func seconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Returns whether one of the functions on the stack initializes a global or static variable.
private func isInInitializer() -> Bool { returnOfInitializers.map { framesOfStack().contains($0) } ?? false }

/// The address in Swift's runtime to which the initializer of a global or static variable returns, or `nil` if it is not found.
///
/// This variable has such an initializer, so the address is in the innermost frame of the runtime. The frame need not be that of
/// `swift_once`, which may jump to another function, but it is in the same library.
private let returnOfInitializers: UInt? = {
  guard let once = dlsym(anyImage, "swift_once").map({ UInt(bitPattern: $0) }) else { return nil }
  return framesOfStack().first { max($0, once) - min($0, once) < 1 << 24 }
}()

/// Returns the return addresses of the functions on the stack, the innermost first.
private func framesOfStack() -> [UInt] {
  guard let function = dlsym(anyImage, "backtrace") else { return [] }
  let backtrace = unsafeBitCast(
    function, to: (@convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32) -> Int32).self)
  // Not called in a closure, which a function of the runtime could call.
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

/// Returns an environment variable of this process, or of the nearest parent process that has it.
///
/// Tests start programs with their own environment.
private func variable(_ name: String) -> String? {
  // As for a record, which is created at the first place that is reached.
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
