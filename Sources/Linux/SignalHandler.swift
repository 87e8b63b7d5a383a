import CLinux
import Glibc

/// Calls a function for each signal of some kinds, on a thread of its own. `signalfd(2)`
///
/// The signals are blocked, so that they neither end the program nor interrupt what it does. Make it before other threads are
/// started, which inherit that.
package final class SignalHandler: Sendable {
  private let numbers: [Int32]
  private let worker = Worker<Never>("signals")

  /// Handles signals from now on; those that arrive before the thread runs wait for it.
  package init(_ numbers: [Int32], _ body: @escaping @Sendable (_ number: Int32) -> Void) {
    self.numbers = numbers
    var set = Self.set(of: numbers)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let number = signalfd(-1, &set, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
    if number < 0 { DescriptorLimit.end("signalfd", errno) }
    worker.start { inbox in
      guard let signals = Descriptor(number) else { return }
      let poller = Poller()
      poller.watch(signals.number, for: .readable)
      poller.watch(inbox.descriptor, for: [.readable, .once])
      while !inbox.take().isStopping {
        var info = signalfd_siginfo()
        while read(signals.number, &info, MemoryLayout<signalfd_siginfo>.size) > 0 { body(Int32(info.ssi_signo)) }
        poller.wait(until: nil) { _, _ in }
      }
    }
  }

  /// Ends the handling: on the calling thread, the signals do again what they do by default.
  package func cancel() {
    worker.stop(within: nil)
    Self.unblock(numbers)
  }

  /// Lets the calling thread receive signals.
  package static func unblock(_ numbers: [Int32]) {
    var set = set(of: numbers)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  private static func set(of numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
  }
}
