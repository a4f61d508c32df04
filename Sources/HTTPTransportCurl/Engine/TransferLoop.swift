// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The transport's thread: it alone touches libcurl's multi handle, and waits for sockets, timers and commands.
///
/// `@safe` because the multi handle is valid for the whole life of the loop and used by its thread alone.
@safe
final class TransferLoop {
  /// Sockets on which something has happened, and libcurl's `CURL_CSELECT_…` for each.
  private typealias Ready = [(socket: Int32, events: Int32)]

  private let multi: UnsafeMutableRawPointer
  private let thread: TransportThread
  private let executor: TransportThreads
  private let pipe: WakePipe
  private let sockets: ThreadOwned<SocketSet>
  private let watchdog: Watchdog
  private let active = ThreadOwned(ActiveExchanges())
  private let handles: ThreadOwned<KeptHandles>
  private let fullStreams = FullStreams()
  private var spin = AdaptiveSpin()
  private let startInstant = ContinuousClock.now
  /// The time when the last wait ended.
  private var now = ContinuousClock.now
  /// When libcurl wants to be called even if no socket is ready.
  private var timer: ContinuousClock.Instant?
  /// No active exchange's deadline is earlier than this.
  private var earliestDeadline: ContinuousClock.Instant? {
    didSet { if earliestDeadline != oldValue { watchdog.setDeadline(earliestDeadline) } }
  }

  /// Creates the loop of the calling thread.
  private init(
    multi: UnsafeMutableRawPointer, thread: TransportThread, executor: TransportThreads, pipe: WakePipe,
    sockets: SocketSet, limits: TransportLimits
  ) {
    unsafe self.multi = multi
    self.thread = thread
    self.executor = executor
    self.pipe = pipe
    self.sockets = ThreadOwned(sockets)
    // As many as there may be transfers that do not wait for a connection.
    handles = ThreadOwned(KeptHandles(limit: max(1, limits.connections)))
    watchdog = thread.watchdog
  }

  /// libcurl's own initialisation, once a process.
  private static let initializeOnce: Void = { curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()

  /// Starts `thread`, one of `executor`'s, which runs until it is stopped.
  ///
  /// - Returns: What wakes it.
  /// - Throws: `TransportError` if the process has no memory, threads or descriptors left.
  static func start(
    limits: TransportLimits, thread: TransportThread, executor: TransportThreads
  ) throws(TransportError) -> WakePipe {
    initializeOnce
    guard let pipe = WakePipe(), let sockets = SocketSet(wakePipe: pipe), let multi = unsafe curl_multi_init() else {
      throw exhausted
    }
    // Safe: nothing but the new thread uses the two from here on.
    nonisolated(unsafe) let parts = unsafe (multi: multi, sockets: sockets)
    let isStarted = Thread.start {
      unsafe TransferLoop(
        multi: parts.multi, thread: thread, executor: executor, pipe: pipe, sockets: parts.sockets, limits: limits
      ).run(limits)
    }
    guard isStarted else {
      unsafe curl_multi_cleanup(multi)
      throw exhausted
    }
    return pipe
  }

  private static let exhausted = TransportError(
    .invalidRequest, "The transport's thread could not be started: the process has no threads or descriptors left.")

  private func configure(_ limits: TransportLimits) {
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    set(CURLMOPT_MAX_HOST_CONNECTIONS, limits.connectionsPerHost)
    set(CURLMOPT_MAX_TOTAL_CONNECTIONS, limits.connections)
    set(CURLMOPT_MAXCONNECTS, limits.connections)
    // Safe: the callbacks run within calls that this loop makes, and so within its life.
    _ = unsafe almanac_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, this)
    _ = unsafe almanac_multi_set_socket_function(multi) { handle, socket, interest, loop, _ in
      if let handle = unsafe handle { unsafe TransferLoop.from(loop)?.watch(socket, for: interest, handle) }
      return 0
    }
    _ = unsafe almanac_multi_set_pointer(multi, CURLMOPT_TIMERDATA, this)
    _ = unsafe almanac_multi_set_timer_function(multi) { _, milliseconds, loop in
      unsafe TransferLoop.from(loop)?.setTimer(milliseconds)
      return 0
    }
  }

  private func set(_ option: CURLMoption, _ value: Int) {
    _ = unsafe almanac_multi_set_long(multi, option, max(1, value))
  }

  private static func from(_ pointer: UnsafeMutableRawPointer?) -> TransferLoop? {
    // Safe: the pointer is the one that `configure` passed.
    unsafe pointer.map { unsafe Unmanaged<TransferLoop>.fromOpaque($0).takeUnretainedValue() }
  }

  private func watch(_ socket: Int32, for interest: Int32, _ handle: UnsafeMutableRawPointer) {
    sockets.value.watch(socket, for: interest)
    if interest != CURL_POLL_REMOVE { unsafe Exchange.of(handle)?.socket = socket }
  }

  private func setTimer(_ milliseconds: Int) {
    // Most timers are due at once, which needs no look at the clock.
    timer = milliseconds < 0 ? nil : milliseconds == 0 ? startInstant : .now + .milliseconds(milliseconds)
  }
}

// MARK: The loop

extension TransferLoop {
  private func run(_ limits: TransportLimits) {
    configure(limits)
    thread.begin()
    var work = TransportThread.Work()
    var ready: Ready = []
    while unsafe thread.runJobs(into: &work, on: executor.asUnownedTaskExecutor()) {
      // Before the commands, so that nothing that came before a request passes for its response: an idle connection on which
      // something has come is closed here.
      wait(&ready, hasCommands: !work.commands.isEmpty)
      for command in work.commands { carryOut(command) }
      work.removeAll()
      // Requests are sent before responses are read, so that servers have something to do in the meantime.
      serveTimer()
      for entry in ready { act(entry.socket, entry.events) }
      ready.removeAll(keepingCapacity: true)
      finishTransfers()
      pauseFullStreams()
      endLateExchanges()
    }
    for exchange in active.value.all { end(exchange, .stopped) }
    for exchange in thread.end(work) { complete(exchange, CURLE_OK, .stopped) }
    handles.value.removeAll()
    // Here and not in `deinit`, because it calls back.
    unsafe curl_multi_cleanup(multi)
  }

  private func carryOut(_ command: TransportThread.Command) {
    switch command {
    case .start(let exchange): start(exchange)
    case .end(let exchange): if isActive(exchange) { end(exchange, .stopped) }
    case .goOn(let exchange): if isActive(exchange) { goOn(exchange) }
    }
  }

  /// Waits for sockets, timers and what other threads add.
  private func wait(_ ready: inout Ready, hasCommands: Bool) {
    guard !hasCommands else {
      _ = look(&ready)
      now = .now
      return
    }
    let start = ContinuousClock.now
    if !endsSpinning(&ready, start) { sleep(&ready, start) }
    now = .now
    spin.noteWait(now - start)
  }

  /// Looks at the sockets.
  ///
  /// - Returns: Whether something has happened.
  private func look(_ ready: inout Ready) -> Bool {
    guard sockets.value.wait(milliseconds: 0, ready: &ready) else { return !ready.isEmpty }
    pipe.clear()
    return true
  }

  /// Looks again and again for a while, if that is likely to take less time than to sleep.
  ///
  /// - Returns: Whether something has happened.
  private func endsSpinning(_ ready: inout Ready, _ start: ContinuousClock.Instant) -> Bool {
    // For tasks of its own: others need a processor to go on. A single request has a server that is slower than this.
    guard spin.isWorthwhile, thread.hasRunJobs, active.value.all.count > 1 else { return false }
    if let next = Self.earlier(timer, earliestDeadline), next - start < AdaptiveSpin.limit { return false }
    var time = Duration.zero
    defer { spin.noteSpin(time) }
    repeat {
      sched_yield()
      time = .now - start
      if look(&ready) || thread.hasWork { return true }
    } while time < AdaptiveSpin.limit
    return false
  }

  private func sleep(_ ready: inout Ready, _ start: ContinuousClock.Instant) {
    guard thread.beginSleep() else {
      _ = look(&ready)
      return
    }
    var milliseconds: Int32 = -1
    if let next = Self.earlier(timer, earliestDeadline) {
      // Rounded up, so that the time has come when the wait returns.
      let rest = next - start + .microseconds(999)
      milliseconds = Int32(
        clamping: rest.components.seconds * 1000 + rest.components.attoseconds / 1_000_000_000_000_000)
      milliseconds = max(0, milliseconds)
    }
    if sockets.value.wait(milliseconds: milliseconds, ready: &ready) { pipe.clear() }
    thread.endSleep()
  }

  private static func earlier(
    _ one: ContinuousClock.Instant?, _ other: ContinuousClock.Instant?
  ) -> ContinuousClock.Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  private func serveTimer() {
    guard let due = timer, due <= now else { return }
    timer = nil
    act(CURL_SOCKET_TIMEOUT, 0)
  }

  private func act(_ socket: Int32, _ events: Int32) {
    var running: Int32 = 0
    watchdog.beginCall(socket)
    _ = unsafe curl_multi_socket_action(multi, socket, events, &running)
    watchdog.endCall()
  }
}

// MARK: Exchanges

extension TransferLoop {
  private func start(_ exchange: Exchange) {
    guard !exchange.isAbandoned else { return complete(exchange, CURLE_OK, .stopped) }
    guard exchange.deadline.instant > now else { return complete(exchange, CURLE_OK, .timedOut) }
    exchange.fullStreams = fullStreams
    guard let handle = handles.value.take(exchange.kind, setup: exchange.setup) else {
      return complete(exchange, CURLE_OK, .noMemory)
    }
    exchange.open(handle)
    if !handle.isUsed { watchSockets(of: handle) }
    guard unsafe curl_multi_add_handle(multi, handle.pointer) == CURLM_OK else {
      return complete(exchange, CURLE_OK, .noMemory)
    }
    active.value.insert(exchange)
    earliestDeadline = Self.earlier(earliestDeadline, exchange.deadline.instant)
  }

  /// Makes libcurl tell of the sockets that this transfer opens, and of their end.
  ///
  /// A connection keeps this for all its life.
  private func watchSockets(of handle: EasyHandle) {
    // Safe: sockets are opened and closed within calls that the loop makes, and so within its life.
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    _ = unsafe almanac_easy_set_pointer(handle.pointer, CURLOPT_SOCKOPTDATA, this)
    _ = unsafe almanac_easy_set_sockopt_function(handle.pointer) { loop, socket, _ in
      if let loop = unsafe TransferLoop.from(loop) {
        loop.sockets.value.noteOpening(of: socket)
        loop.watchdog.noteOpening(of: socket)
      }
      return Int32(CURL_SOCKOPT_OK)
    }
    _ = unsafe almanac_easy_set_pointer(handle.pointer, CURLOPT_CLOSESOCKETDATA, this)
    _ = unsafe almanac_easy_set_close_function(handle.pointer) { loop, socket in
      if let loop = unsafe TransferLoop.from(loop) {
        loop.sockets.value.forget(socket)
        loop.watchdog.noteClosing(of: socket)
      }
      return close(socket)
    }
  }

  private func end(_ exchange: Exchange, _ ending: Exchange.Ending) {
    _ = active.value.remove(exchange)
    if let handle = exchange.handle {
      if ending == .timedOut { handle.forbidReuse() }
      _ = unsafe curl_multi_remove_handle(multi, handle.pointer)
    }
    complete(exchange, CURLE_OK, ending)
  }

  private func complete(_ exchange: Exchange, _ result: CURLcode, _ ending: Exchange.Ending? = nil) {
    thread.load.removeExchange(isStreamed: exchange.isStreamed)
    if let handle = exchange.complete(result, ending) { handles.value.keep(handle) }
  }

  private func finishTransfers() {
    var left: Int32 = 0
    // Safe: the message is valid until the handle is removed, and read before.
    while let message = unsafe curl_multi_info_read(multi, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE, let handle = unsafe message.pointee.easy_handle else {
        continue
      }
      let result = unsafe almanac_message_result(message)
      let exchange = unsafe Exchange.of(handle)
      _ = unsafe curl_multi_remove_handle(multi, handle)
      guard let exchange, active.value.remove(exchange) else { continue }
      // In HTTP/2 a server may say something at any time.
      if let socket = exchange.socket, result == CURLE_OK, exchange.handle?.isHTTP2 == false {
        sockets.value.watchIdle(socket)
      }
      // What the watchdog has ended because it was late is not a connection that broke.
      let isLate = result != CURLE_OK && exchange.deadline.instant <= .now
      complete(exchange, result, isLate ? .timedOut : nil)
    }
  }

  /// Ends the exchanges whose time is over.
  ///
  /// libcurl's own limit does not count while a transfer waits for a connection.
  private func endLateExchanges() {
    guard let earliest = earliestDeadline, earliest <= .now else { return }
    let now = ContinuousClock.now
    for exchange in active.value.all where exchange.deadline.instant <= now { end(exchange, .timedOut) }
    earliestDeadline = active.value.all.map(\.deadline.instant).min()
  }

  /// Whether libcurl has the exchange.
  private func isActive(_ exchange: Exchange) -> Bool { exchange.position != nil }

  // MARK: Pauses

  private func pauseFullStreams() {
    guard !fullStreams.exchanges.isEmpty else { return }
    for exchange in fullStreams.exchanges where isActive(exchange) {
      if exchange.download?.pause() == true {
        pause(exchange, exchange.pauses | CURLPAUSE_RECV)
      } else {
        exchange.isFull = false
      }
    }
    fullStreams.exchanges.removeAll(keepingCapacity: true)
  }

  private func goOn(_ exchange: Exchange) {
    var pauses = exchange.pauses
    if exchange.isFull, exchange.download?.isPaused == false {
      exchange.isFull = false
      pauses &= ~CURLPAUSE_RECV
    }
    let isStarved = exchange.upload?.takeStarvation() ?? false
    if pauses != exchange.pauses || isStarved { pause(exchange, pauses) }
  }

  private func pause(_ exchange: Exchange, _ directions: Int32) {
    exchange.pauses = directions
    guard let handle = exchange.handle else { return }
    _ = unsafe curl_easy_pause(handle.pointer, directions)
  }
}
