// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import OAuthCore
import Synchronization
import Timekeeping
import TokenStore

/// A transport with one response that counts and records the requests.
final class OneResponse: Transport {
  private let response: HTTPResponse
  private let noted = Mutex<[HTTPRequest]>([])

  init(_ response: HTTPResponse) { self.response = response }

  var requests: [HTTPRequest] { noted.withLock(\.self) }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    noted.withLock { $0.append(request) }
    return response
  }
}

/// A clock that does not advance.
struct StoppedClock: WallClock {
  let now = Timestamp(secondsSince1970: 1_767_225_600)
  func sleep(for duration: Duration) async throws {}
}

/// Returns a client of a server that sends its issuer in responses.
func fuzzClient(_ transport: some Transport) -> OAuthClient {
  guard let authorization = URL(string: "https://login.example/a"), let token = URL(string: "https://login.example/t"),
    let client = try? OAuthClient(
      server: ServerMetadata(
        issuer: "https://login.example", authorizationEndpoint: authorization, tokenEndpoint: token),
      registration: ClientRegistration(clientID: "app"), transport: transport, clock: StoppedClock())
  else { preconditionFailure("The client can be made.") }
  return client
}

/// Runs `body` on this thread and waits for it.
///
/// The fuzzer calls a synchronous function, and switching to another thread would take a thousand times as long.
func wait<Value: Sendable>(for body: @escaping @Sendable () async throws -> Value) -> Result<Value, any Error> {
  let result = Mutex<Result<Value, any Error>?>(nil)
  let executor = ThisThread()
  Task(executorPreference: executor) {
    do {
      let value = try await body()
      result.withLock { $0 = .success(value) }
    } catch {
      result.withLock { $0 = .failure(error) }
    }
  }
  while true {
    executor.run()
    if let result = result.withLock(\.self) { return result }
  }
}

/// An executor that runs the jobs of tasks on the thread that calls ``run()``.
private final class ThisThread: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  func run() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
