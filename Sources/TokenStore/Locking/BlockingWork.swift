import Dispatch

/// Runs what blocks on threads of its own, so that no thread of the concurrency pool ever waits for a disk or a keychain.
/// It is not interrupted by cancellation.
enum BlockingWork {
  private static let queue = DispatchQueue(label: "almanac.token-storage", attributes: .concurrent)

  static func run<Output: Sendable>(_ work: @escaping @Sendable () throws -> Output) async throws -> Output {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: work)) }
    }
  }

  static func run(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      queue.async {
        work()
        continuation.resume()
      }
    }
  }
}
