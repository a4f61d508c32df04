// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Returns whether a fault is active in this process, and records that the process reached it.
public func isActive(_ fault: Int) -> Bool {
  if let record { record.add(fault) }
  return fault == activeFault
}

private let activeFault = variable("ALMANAC_FAULT").flatMap { Int($0) }
private let record = variable("ALMANAC_FAULTS_REACHED").map { Record(path: $0) }

/// A file with a line for each fault that a process reached.
private final class Record: Sendable {
  private let file: Int32
  private let seen = Mutex<Set<Int>>([])

  init(path: String) {
    file = preservingErrno { open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644) }
  }

  func add(_ fault: Int) {
    guard seen.withLock({ $0.insert(fault).inserted }) else { return }
    let line = Array("\(fault)\n".utf8)
    _ = preservingErrno { write(file, line, line.count) }
  }
}

/// Runs `body` without an effect on `errno`: a fault can be between a failed system call and the reading of its error.
private func preservingErrno<Result>(_ body: () -> Result) -> Result {
  let number = errno
  defer { errno = number }
  return body()
}

/// Returns an environment variable of this process, or of the nearest parent process that has it.
///
/// Tests start programs with their own environment.
private func variable(_ name: String) -> String? {
  preservingErrno {
    if let value = getenv(name) { return String(cString: value) }
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
    return nil
  }
}

private func contents(_ path: String) -> [UInt8] {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return [] }
  defer { close(file) }
  var result: [UInt8] = []
  var part = [UInt8](repeating: 0, count: 65536)
  while case let count = read(file, &part, part.count), count > 0 { result += part[..<count] }
  return result
}
