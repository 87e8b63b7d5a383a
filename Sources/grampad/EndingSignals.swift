import Dispatch
import Glibc

/// Does something before SIGHUP, SIGINT or SIGTERM end the program, which a second one does at once.
final class EndingSignals {
  private static let numbers = [SIGHUP, SIGINT, SIGTERM]

  private let sources: [any DispatchSourceSignal]

  /// - Parameter body: Runs on a thread of its own, so that a dialog may wait for input meanwhile.
  init(_ body: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "grampad.ending")
    sources = Self.numbers.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        Self.setDefault()
        body()
        kill(getpid(), number)
      }
      source.activate()
      return source
    }
  }

  /// Lets the signals end the program at once again.
  func restore() {
    for source in sources { source.cancel() }
    Self.setDefault()
  }

  private static func setDefault() {
    for number in numbers { signal(number, SIG_DFL) }
  }
}
