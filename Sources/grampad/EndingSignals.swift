import Glibc
import Linux

/// Does something before SIGHUP, SIGINT or SIGTERM end the program, which a second one does at once.
final class EndingSignals {
  private static let numbers = [SIGHUP, SIGINT, SIGTERM]

  private let handler: SignalHandler

  /// - Parameter body: Runs on a thread of its own, so that a dialog may wait for input meanwhile.
  init(_ body: @escaping @Sendable () -> Void) {
    handler = SignalHandler(Self.numbers) { number in
      for number in Self.numbers { signal(number, SIG_DFL) }
      SignalHandler.unblock(Self.numbers)
      body()
      kill(getpid(), number)
    }
  }

  /// Lets the signals end the program at once again.
  func restore() { handler.cancel() }
}
