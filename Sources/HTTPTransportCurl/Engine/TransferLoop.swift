// SPDX-License-Identifier: Apache-2.0

import CLibcurl
import HTTPTransport
import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The loop of a transport's thread.
///
/// It alone uses libcurl's multi handle, and it waits for sockets, timers and commands.
///
/// `@safe` because the multi handle is valid for the whole life of the loop and used by its thread alone.
@safe
final class TransferLoop {
  private typealias Ready = [SocketSet.Ready]

  private let multi: UnsafeMutableRawPointer
  private let thread: TransportThread
  private let pipe: WakePipe
  /// The active transfers, whose handles were added to libcurl, by their exchanges.
  private let transfers = ThreadOwned([ObjectIdentifier: Transfer]())
  private let context: CallbackContext
  /// Ends thread-blocking calls.
  private let watchdog = Watchdog()
  private let handles: ThreadOwned<KeptHandles>
  private let startInstant = ContinuousClock.now
  /// The instant when the last wait ended.
  private var now = ContinuousClock.now
  /// The instant when the loop must call libcurl even if no socket is ready.
  private var timer: ContinuousClock.Instant?
  /// A lower bound for the deadlines of the active exchanges.
  private var earliestDeadline: ContinuousClock.Instant? {
    didSet { if earliestDeadline != oldValue { watchdog.setDeadline(earliestDeadline) } }
  }

  /// Creates the loop of the calling thread.
  private init(
    multi: UnsafeMutableRawPointer, thread: TransportThread, pipe: WakePipe, sockets: SocketSet, limits: TransportLimits
  ) {
    unsafe self.multi = multi
    self.thread = thread
    self.pipe = pipe
    context = CallbackContext(sockets: sockets, watchdog: watchdog)
    // One handle for each transfer that can have a connection.
    handles = ThreadOwned(KeptHandles(limit: max(1, limits.connections)))
  }

  /// Whether libcurl is loaded and initialized, which happens once per process.
  private static let isReady: Bool = {
    guard almanac_curl_load() else { return false }
    almanac_curl_initialize()
    return true
  }()

  /// Starts `thread`, which runs until it is stopped.
  ///
  /// - Returns: The pipe that wakes it.
  /// - Throws: `TransportError` if libcurl is missing, or the process has no memory, threads or descriptors left.
  static func start(limits: TransportLimits, thread: TransportThread) throws(TransportError) -> WakePipe {
    guard isReady else { throw missing }
    guard let pipe = WakePipe(), let sockets = SocketSet(wakePipe: pipe),
      let multi = unsafe almanac_curl_multi_init()
    else { throw exhausted }
    unsafe SocketPair(waking: multi)?.keepFromPrograms()
    let loop = unsafe TransferLoop(multi: multi, thread: thread, pipe: pipe, sockets: sockets, limits: limits)
    do throws(TransportError) {
      try loop.configure(limits)
      // Safe: nothing but the new thread uses it from here on.
      nonisolated(unsafe) let started = loop
      guard DetachedThread.start({ unsafe started.run() }) else { throw exhausted }
    } catch {
      unsafe almanac_curl_multi_cleanup(multi)
      throw error
    }
    return pipe
  }

  private static let missing = TransportError(
    .invalidRequest,
    "libcurl 7.88 or newer is not installed. Install the package libcurl4 (Debian, Ubuntu) or libcurl (Fedora).")

  private static let exhausted = TransportError(
    .invalidRequest,
    "The transport's thread could not be started. Raise the process's limits for threads and open files.")

  private func configure(_ limits: TransportLimits) throws(TransportError) {
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    try set(CURLMOPT_MAX_HOST_CONNECTIONS, limits.connectionsPerHost)
    try set(CURLMOPT_MAX_TOTAL_CONNECTIONS, limits.connections)
    try set(CURLMOPT_MAXCONNECTS, limits.connections)
    // Safe: the callbacks run within calls that this loop makes, and so within its life.
    try check(CURLMOPT_SOCKETDATA, unsafe almanac_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, this))
    let watching = unsafe almanac_multi_set_socket_function(multi) { handle, socket, interest, loop, _ in
      if let handle = unsafe handle { unsafe TransferLoop.from(loop)?.watch(socket, for: interest, handle) }
      return 0
    }
    try check(CURLMOPT_SOCKETFUNCTION, watching)
    try check(CURLMOPT_TIMERDATA, unsafe almanac_multi_set_pointer(multi, CURLMOPT_TIMERDATA, this))
    let timing = unsafe almanac_multi_set_timer_function(multi) { _, milliseconds, loop in
      unsafe TransferLoop.from(loop)?.setTimer(milliseconds)
      return 0
    }
    try check(CURLMOPT_TIMERFUNCTION, timing)
  }

  private func set(_ option: CURLMoption, _ value: Int) throws(TransportError) {
    try check(option, unsafe almanac_multi_set_long(multi, option, max(1, value)))
  }

  /// Checks the result of setting an option.
  private func check(_ option: CURLMoption, _ result: CURLMcode) throws(TransportError) {
    guard result != CURLM_OK else { return }
    throw TransportError(
      .invalidRequest, "libcurl rejects the option \(option.rawValue) of its connections. Update libcurl.")
  }

  private static func from(_ pointer: UnsafeMutableRawPointer?) -> TransferLoop? {
    // Safe: the pointer is the one that `configure` passed.
    unsafe pointer.map { unsafe Unmanaged<TransferLoop>.fromOpaque($0).takeUnretainedValue() }
  }

  private func watch(_ socket: Int32, for interest: Int32, _ handle: UnsafeMutableRawPointer) {
    context.sockets.value.watch(socket, for: interest)
    if interest != CURL_POLL_REMOVE { unsafe Transfer.of(handle)?.socket = context.sockets.value.socket(socket) }
  }

  private func setTimer(_ milliseconds: Int) {
    // Most timers are due at once, which needs no reading of the clock.
    timer = milliseconds < 0 ? nil : milliseconds == 0 ? startInstant : .now + .milliseconds(milliseconds)
  }
}

// MARK: The loop

extension TransferLoop {
  private func run() {
    watchdog.begin()
    var commands: [TransportThread.Command] = []
    var ready: Ready = []
    while thread.take(&commands) {
      // Before the commands: this closes idle connections on which something has arrived. Nothing that arrived before a request
      // can then be read as its response.
      wait(&ready, hasCommands: !commands.isEmpty)
      for command in commands { carryOut(command) }
      commands.removeAll(keepingCapacity: true)
      // Requests are sent before responses are read, so servers can work in the meantime.
      serveTimer()
      // A socket may have been closed since then, and its number may belong to a new one.
      for entry in ready where context.sockets.value.isCurrent(entry.socket) {
        act(entry.socket.number, entry.events)
      }
      ready.removeAll(keepingCapacity: true)
      finishTransfers()
      pauseFullStreams()
      endLateExchanges()
    }
    for transfer in transfers.value.values { end(transfer, .stopped) }
    for exchange in thread.end(commands) { exchange.stop() }
    handles.value.removeAll()
    // Not in `deinit`, because this calls back.
    unsafe almanac_curl_multi_cleanup(multi)
  }

  private func carryOut(_ command: TransportThread.Command) {
    switch command {
    case .start(let exchange): start(exchange)
    case .end(let exchange): if let transfer = transfer(of: exchange) { end(transfer, .stopped) }
    case .goOn(let exchange): if let transfer = transfer(of: exchange) { goOn(transfer) }
    }
  }

  /// Waits for sockets, timers and commands.
  private func wait(_ ready: inout Ready, hasCommands: Bool) {
    defer { now = .now }
    guard !hasCommands, thread.beginSleep() else {
      if context.sockets.value.wait(milliseconds: 0, ready: &ready) { pipe.clear() }
      return
    }
    var milliseconds: Int32 = -1
    if let next = Self.earlier(timer, earliestDeadline) {
      milliseconds = (next - .now).millisecondsToWait
    }
    if context.sockets.value.wait(milliseconds: milliseconds, ready: &ready) { pipe.clear() }
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
    _ = unsafe almanac_curl_multi_socket_action(multi, socket, events, &running)
    watchdog.endCall()
  }
}

// MARK: Exchanges

extension TransferLoop {
  private func start(_ exchange: Exchange) {
    guard let receiver = exchange.takeReceiver() else { return exchange.stop() }
    let transfer = Transfer(exchange, receiver, in: context)
    guard exchange.deadline.instant > now else { return complete(transfer, CURLE_OK, .timedOut) }
    do throws(TransportError) {
      let handle = try handles.value.take(transfer.kind, setup: exchange.setup)
      if !handle.isUsed { try watchSockets(of: handle) }
      try transfer.open(handle)
      guard unsafe almanac_curl_multi_add_handle(multi, handle.pointer) == CURLM_OK else { throw .noMemory }
    } catch {
      return complete(transfer, CURLE_OK, .refused(error))
    }
    transfers.value[ObjectIdentifier(exchange)] = transfer
    context.hasSeveral = transfers.value.count > 1
    earliestDeadline = Self.earlier(earliestDeadline, exchange.deadline.instant)
  }

  /// Returns the active transfer of an exchange.
  private func transfer(of exchange: Exchange) -> Transfer? { transfers.value[ObjectIdentifier(exchange)] }

  /// - Returns: Whether the transfer was active.
  private func remove(_ transfer: Transfer) -> Bool {
    defer { context.hasSeveral = transfers.value.count > 1 }
    return transfers.value.removeValue(forKey: ObjectIdentifier(transfer.exchange)) != nil
  }

  /// Makes libcurl open and close the sockets of this transfer through the loop.
  ///
  /// A connection keeps this setting for all its life. Child programs would inherit libcurl's own sockets.
  private func watchSockets(of handle: EasyHandle) throws(TransportError) {
    // Safe: sockets are opened and closed within calls that the loop makes, and so within its life.
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    try unsafe handle.set(CURLOPT_OPENSOCKETDATA, pointer: this)
    let opening = unsafe almanac_easy_set_open_function(handle.pointer) { loop, _, address in
      guard let loop = unsafe TransferLoop.from(loop), let address = unsafe address else { return -1 }
      let (family, type, protocolNumber) = unsafe (
        address.pointee.family, address.pointee.socktype, address.pointee.protocol
      )
      let socket = PrivateSocket.make(family, type, protocolNumber)
      guard socket >= 0 else { return socket }
      loop.context.sockets.value.noteOpening(of: socket)
      loop.watchdog.noteOpening(of: socket)
      return socket
    }
    try handle.check(CURLOPT_OPENSOCKETFUNCTION, opening)
    try unsafe handle.set(CURLOPT_CLOSESOCKETDATA, pointer: this)
    let closing = unsafe almanac_easy_set_close_function(handle.pointer) { loop, socket in
      if let loop = unsafe TransferLoop.from(loop) {
        loop.context.sockets.value.forget(socket)
        loop.watchdog.noteClosing(of: socket)
      }
      return close(socket)
    }
    try handle.check(CURLOPT_CLOSESOCKETFUNCTION, closing)
  }

  private func end(_ transfer: Transfer, _ ending: Transfer.Ending) {
    _ = remove(transfer)
    if let handle = transfer.handle {
      if case .timedOut = ending { transfer.forbidReuse() }
      _ = unsafe almanac_curl_multi_remove_handle(multi, handle.pointer)
    }
    complete(transfer, CURLE_OK, ending)
  }

  private func complete(_ transfer: Transfer, _ result: CURLcode, _ ending: Transfer.Ending? = nil) {
    if let handle = transfer.complete(result, ending) { handles.value.keep(handle) }
  }

  private func finishTransfers() {
    var left: Int32 = 0
    // Safe: the message is valid until the handle is removed, and read before.
    while let message = unsafe almanac_curl_multi_info_read(multi, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE, let handle = unsafe message.pointee.easy_handle else {
        continue
      }
      let result = unsafe almanac_message_result(message)
      let transfer = unsafe Transfer.of(handle)
      _ = unsafe almanac_curl_multi_remove_handle(multi, handle)
      guard let transfer, remove(transfer) else { continue }
      // An HTTP/2 server may send something at any time.
      if result == CURLE_OK, !transfer.receiver.value.isMultiplexed, let socket = transfer.connection {
        context.sockets.value.watchIdle(socket)
      }
      // A connection that the watchdog ended because the exchange was late is a timeout, not a lost connection.
      let isLate = result != CURLE_OK && transfer.exchange.deadline.instant <= .now
      complete(transfer, result, isLate ? .timedOut : nil)
    }
  }

  /// Ends the exchanges whose deadlines have passed.
  ///
  /// libcurl's own timeout does not include the wait for a connection.
  private func endLateExchanges() {
    guard let earliest = earliestDeadline, earliest <= .now else { return }
    let now = ContinuousClock.now
    for transfer in transfers.value.values where transfer.exchange.deadline.instant <= now { end(transfer, .timedOut) }
    earliestDeadline = transfers.value.values.map(\.exchange.deadline.instant).min()
  }

  // MARK: Pauses

  private func pauseFullStreams() {
    guard !context.fullStreams.isEmpty else { return }
    for exchange in context.fullStreams {
      guard let transfer = transfer(of: exchange) else { continue }
      if exchange.download?.pause() == true {
        pause(transfer, transfer.pauses | CURLPAUSE_RECV)
      } else {
        transfer.isFull = false
      }
    }
    context.fullStreams.removeAll(keepingCapacity: true)
  }

  private func goOn(_ transfer: Transfer) {
    let exchange = transfer.exchange
    var pauses = transfer.pauses
    if transfer.isFull, exchange.download?.isPaused == false {
      transfer.isFull = false
      pauses &= ~CURLPAUSE_RECV
    }
    let isStarved = exchange.upload?.takeStarvation() ?? false
    if pauses != transfer.pauses || isStarved { pause(transfer, pauses) }
  }

  private func pause(_ transfer: Transfer, _ directions: Int32) {
    transfer.pauses = directions
    guard let handle = transfer.handle else { return }
    _ = unsafe almanac_curl_easy_pause(handle.pointer, directions)
  }
}
