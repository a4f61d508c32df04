// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import Support
import TestSupport
import Testing
import TransportKit

/// Responses with mistakes that a seed chooses.
///
/// The command `curl`, where it is installed, is the judge of which are valid.
///
/// `ALMANAC_MUTATIONS` sets how many there are; it defaults to 200.
@Suite(.takesTurns(.long)) struct MutatedResponseTests {
  private static let count = ProcessInfo.processInfo.environment["ALMANAC_MUTATIONS"].flatMap { UInt64($0) } ?? 200
  private static let timeout = 60

  @Test func everyResponseIsTakenOrRefusedAsCurlDoes() async throws {
    let server = try HostileServer { request in
      let seed = UInt64(request.target.dropFirst()) ?? 0
      return [.send(MutatedResponse(seed: seed).bytes), .close]
    }
    defer { server.stop() }
    let http = CurlTransport(limits: TransportLimits(timeout: .seconds(Self.timeout), redirects: 0))
    var valid = 0
    for start in stride(from: 0, to: Self.count, by: 200) {
      let seeds = start..<min(Self.count, start + 200)
      let ours = await outcomes(of: seeds, from: server, over: http)
      valid += ours.values.count { $0 != .refused }
      guard let theirs = try await CurlCommand.outcomes(of: seeds, port: server.port, timeout: Self.timeout) else {
        continue
      }
      for seed in seeds {
        let mutated = MutatedResponse(seed: seed)
        // curl takes a head that is cut off, and guesses the status of a line that is malformed.
        let judgment = mutated.hasValidHead ? theirs[seed] : .refused
        #expect(ours[seed] == judgment, "seed \(seed): \(mutated)")
      }
    }
    // Neither all nor none: the mistakes are worth something.
    #expect(valid > Self.count / 5)
    #expect(valid < Self.count)
  }

  private func outcomes(
    of seeds: Range<UInt64>, from server: HostileServer, over http: CurlTransport
  ) async -> [UInt64: ResponseOutcome] {
    await withTaskGroup(of: (UInt64, ResponseOutcome).self) { group in
      for seed in seeds {
        group.addTask {
          do {
            let response = try await http.send(HTTPRequest(.get, server.url("/\(seed)")))
            for field in response.fields {
              #expect(!field.value.utf8.contains { $0 == 0 || $0 == 10 || $0 == 13 }, "seed \(seed)")
            }
            return (seed, .taken(status: response.status, body: response.body))
          } catch {
            #expect(error is TransportError, "seed \(seed): \(error)")
            return (seed, .refused)
          }
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }
}

/// The outcome of a response.
enum ResponseOutcome: Equatable {
  case taken(status: Int, body: [UInt8])
  case refused
}

/// The command `curl`, told to get many URLs.
enum CurlCommand {
  /// Returns what it makes of the responses; `nil` if it is not installed.
  static func outcomes(of seeds: Range<UInt64>, port: Int, timeout: Int) async throws -> [UInt64: ResponseOutcome]? {
    guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
    var outcomes: [UInt64: ResponseOutcome] = [:]
    var rest = Array(seeds)
    while !rest.isEmpty {
      // It blocks until the command has ended.
      let new = try await BlockingWork.run { [rest] in try run(rest, port: port, timeout: timeout) }
      outcomes.merge(new) { $1 }
      let left = rest.filter { outcomes[$0] == nil }
      // A response can make the command end, without a word about the URLs that are left.
      if left.count == rest.count, let first = left.first { outcomes[first] = .refused }
      rest = left
    }
    return outcomes
  }

  private static let program = "/usr/bin/curl"

  private static func run(_ seeds: [UInt64], port: Int, timeout: Int) throws -> [UInt64: ResponseOutcome] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "almanac-curl-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let settings = seeds.map { seed in
      """
      url = "http://127.0.0.1:\(port)/\(seed)"
      output = "\(folder.path)/\(seed)"
      """
    }
    let file = folder.appending(path: "settings")
    try Data(settings.joined(separator: "\n").utf8).write(to: file)
    let result = try ProgramRun.run(
      program,
      [
        "--silent", "--noproxy", "*", "--http1.1", "--compressed", "--max-time", "\(timeout)", "--write-out",
        "%{url} %{exitcode} %{http_code}\\n", "--config", file.path,
      ], environment: [:], upTo: .max, isCancelled: { false })
    guard case .ended(_, let output) = result else { throw CocoaError(.executableLoad) }
    let lines = String(decoding: output, as: UTF8.self)
    var outcomes: [UInt64: ResponseOutcome] = [:]
    for line in lines.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, let seed = words[0].split(separator: "/").last.flatMap({ UInt64($0) }) else { continue }
      let body = (try? Data(contentsOf: folder.appending(path: "\(seed)"))) ?? Data()
      outcomes[seed] = words[1] == "0" ? .taken(status: Int(words[2]) ?? 0, body: Array(body)) : .refused
    }
    return outcomes
  }
}
