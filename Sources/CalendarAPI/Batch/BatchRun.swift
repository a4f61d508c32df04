// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import Timekeeping

/// The execution of a batch, from the first attempt to the result of its last member.
struct BatchRun {
  private let client: CalendarClient
  private let members: [any BatchMember]
  /// Whether a request has a result or a known outcome.
  ///
  /// An error of the whole batch must then not replace it.
  private var hasResult = false
  /// The last error of the transport.
  private var failure: TransportError?
  /// The delay before the next round.
  private var pause = Duration.zero

  init(client: CalendarClient, members: [any BatchMember]) {
    self.client = client
    self.members = members
  }

  /// Sends all members, and retries those with a temporary failure, until each has a result.
  mutating func finish() async throws {
    for member in members { member.prepare(below: client.baseURL, client.options) }
    do {
      while true {
        let waiting = members.filter { $0.httpRequest != nil }
        if waiting.isEmpty { break }
        if pause > .zero { try await client.clock.sleep(for: pause) }
        pause = .zero
        try await sendRound(waiting)
      }
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      guard saysSomething else { throw error }
      for member in members where member.httpRequest != nil { member.fail(error) }
    }
    if let failure, !saysSomething { throw failure }
  }

  /// Whether an error of the whole batch would hide a result, or a request that may have been carried out.
  private var saysSomething: Bool { hasResult || members.contains(where: \.isOfUnknownOutcome) }

  /// Sends each member once.
  private mutating func sendRound(_ waiting: [any BatchMember]) async throws {
    for member in waiting where member.isAlone {
      let sent = try await client.pacer.turn(client.clock)
      try await exchange([member][...], sentAt: sent)
    }
    let limit = min(max(client.options.maximumBatchSize, 1), CalendarClient.Options.batchLimit)
    var rest = waiting.filter { !$0.isAlone }[...]
    while !rest.isEmpty {
      let (count, sent) = try await client.pacer.turn(client.clock, upTo: min(rest.count, limit))
      try await exchange(rest.prefix(count), sentAt: sent)
      rest = rest.dropFirst(count)
    }
  }

  /// Sends members together and processes the response to each.
  private mutating func exchange(_ sending: ArraySlice<any BatchMember>, sentAt sent: Duration) async throws {
    try Task.checkCancellation()
    let batch = BatchMessage(sending)
    let call: Call
    let response: HTTPResponse
    do {
      let request = try batch.httpRequest(below: client.baseURL)
      call = Call(timeout: request.timeout)
      response = try await CallContext.send(
        request, by: client.transport, within: call, isDecidedAbove: client.options.retryPolicy.retries)
      try Task.checkCancellation()
    } catch let error as TransportError {
      failure = error
      for member in sending { retry(member, after: error) }
      return
    }
    for member in sending { member.attempts.add(call) }
    if sending.count > 1, !response.isSuccess { return takeRefusal(response, of: sending, sentAt: sent) }
    do throws(CalendarError) {
      let responses = try batch.responses(in: response)
      for (member, response) in zip(sending, responses) {
        take(response, for: member, sentAt: sent, inBatch: sending.count > 1)
      }
    } catch {
      for member in sending { fail(member, error) }
    }
  }

  /// Processes an error response to the whole batch.
  ///
  /// Such a response is not about the resource of any member.
  private mutating func takeRefusal(
    _ response: HTTPResponse, of sending: ArraySlice<any BatchMember>, sentAt sent: Duration
  ) {
    let error = CalendarError(response).ofBatch
    if error.isRateLimit { client.pacer.slowDown(afterRequestAt: sent, now: client.clock.uptime) }
    for member in sending where !retry(member, after: error, response) { fail(member, error) }
  }

  private mutating func retry(_ member: any BatchMember, after error: TransportError) {
    let policy = client.options.retryPolicy
    guard member.attempts.count < policy.maximumAttempts, let request = member.httpRequest,
      policy.mayRetry(request, after: error)
    else { return member.fail(error) }
    pause = max(pause, policy.delay(after: member.attempts.count, fraction: Double.random(in: 0...1)))
    member.attempts.retry(after: error)
  }

  /// Processes the response to a member and decides whether to retry it.
  private mutating func take(
    _ response: Result<HTTPResponse, CalendarError>, for member: any BatchMember, sentAt sent: Duration, inBatch: Bool
  ) {
    do throws(CalendarError) {
      let response = try response.get()
      do throws(CalendarError) {
        try member.read(response)
        client.pacer.succeed()
      } catch {
        if error.isRateLimit { client.pacer.slowDown(afterRequestAt: sent, now: client.clock.uptime) }
        if member.complete(after: error) {
          hasResult = true
          if member.httpRequest != nil { member.prepare(below: client.baseURL, client.options) }
        } else if !(inBatch && retryAuthorized(member, after: error)), !retry(member, after: error, response) {
          throw error
        }
      }
      hasResult = hasResult || member.httpRequest == nil
    } catch {
      fail(member, error)
    }
  }

  private mutating func fail(_ member: any BatchMember, _ error: CalendarError) {
    member.fail(error)
    hasResult = true
  }

  /// Schedules a retry of a member after a temporary error.
  ///
  /// - Returns: Whether the member is retried.
  private mutating func retry(
    _ member: any BatchMember, after error: CalendarError, _ response: HTTPResponse
  ) -> Bool {
    guard let request = member.httpRequest,
      let wait = client.pause(after: error, response, member.attempts, isRepeatable: request.isRepeatable)
    else { return false }
    pause = max(pause, wait)
    member.attempts.retry(after: error)
    if error.code == .conflict { member.isAlone = true }
    return true
  }

  /// Schedules a retry of a member whose access token was rejected within a batch.
  ///
  /// The transport does not see a rejection within a batch. The first such member is therefore sent on its own: the transport
  /// then replaces the token before the others are sent.
  private mutating func retryAuthorized(_ member: any BatchMember, after error: CalendarError) -> Bool {
    guard error.status == 401, !member.wasUnauthorized else { return false }
    if !members.contains(where: { $0.wasUnauthorized && $0.httpRequest != nil }) { member.isAlone = true }
    member.wasUnauthorized = true
    return true
  }
}

/// The bodies of a method that the server accepts in a batch.
enum BatchSupport: Sendable {
  /// Any body, or none.
  case anyBody
  /// All events except working locations.
  case exceptWorkingLocations
}

extension BatchSupport {
  /// Returns whether a request with a body can be sent in a batch.
  func includes(_ body: CalendarRequestBody) -> Bool {
    switch self {
    case .anyBody: return true
    case .exceptWorkingLocations:
      return body.json?.writesWorkingLocation != true
    }
  }
}

extension JSONValue {
  fileprivate var writesWorkingLocation: Bool {
    self["eventType"]?.string == Event.EventType.workingLocation.rawValue
      || self["workingLocationProperties"]?.object != nil
  }
}
