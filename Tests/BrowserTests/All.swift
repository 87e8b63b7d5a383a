import Foundation
import Testing

/// The page in a real browser. Six tests run at a time, those that measure time without another one.
@Suite(TakingTurns()) struct All {}

extension Tag {
  /// Tests with limits that a browser next to them could exceed.
  @Tag static var measuresTime: Self
}

/// Lets a test wait until a browser may start.
struct TakingTurns: SuiteTrait, TestTrait, TestScoping {
  private static let turns = Turns()

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let count = test.tags.contains(.measuresTime) ? Turns.most : 1
    await Self.turns.begin(count)
    let start = ContinuousClock.now
    let result: Result<Void, any Error>
    do { result = .success(try await withTaskExecutorPreference(OwnThreads.shared) { try await function() }) } catch {
      result = .failure(error)
    }
    // The framework counts the wait, too.
    print("\(test.name) had its turn for \((ContinuousClock.now - start) / .seconds(1)) seconds")
    await Self.turns.end(count)
    try result.get()
  }
}

/// A semaphore that is first come, first served.
private actor Turns {
  static let most = 6

  private var free = most
  private var waiting: [(count: Int, start: CheckedContinuation<Void, Never>)] = []

  func begin(_ count: Int) async {
    await withCheckedContinuation { start in
      waiting.append((count, start))
      startNext()
    }
  }

  func end(_ count: Int) {
    free += count
    startNext()
  }

  private func startNext() {
    while let next = waiting.first, next.count <= free {
      free -= next.count
      waiting.removeFirst().start.resume()
    }
  }
}

/// Runs each job in a thread of its own. A test blocks its thread while it waits for a browser, and Swift has no more threads
/// of its own than there are cores.
private final class OwnThreads: TaskExecutor {
  static let shared = OwnThreads()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
