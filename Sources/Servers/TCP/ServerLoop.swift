import Linux
import NIOCore
import NIOPosix
import Synchronization
import Weighing

/// The thread of all TCP servers of a program. It sleeps while nothing arrives and nothing is due.
package final class ServerLoop: Sendable {
  private let group: MultiThreadedEventLoopGroup?
  private let isStopped = Mutex(false)
  let eventLoop: any NIOCore.EventLoop

  /// Starts the thread.
  package init() {
    let group = OwnThread.withSignalsBlocked { MultiThreadedEventLoopGroup(numberOfThreads: 1) }
    (self.group, eventLoop) = (group, group.next())
  }

  /// A loop that someone else runs.
  init(_ eventLoop: any NIOCore.EventLoop) { (group, self.eventLoop) = (nil, eventLoop) }

  /// Runs a function on the loop: at once if the caller is on it, else as soon as possible; never after its end.
  func run(_ body: @escaping @Sendable () -> Void) {
    if eventLoop.inEventLoop { return body() }
    isStopped.withLock { if !$0 { eventLoop.execute(body) } }
  }

  /// Runs a function on the loop after what is ready there now; never after its end. Functions that are executed run before the loop
  /// looks at its sockets, so a client that keeps causing them would stop all others.
  func runInTurn(_ body: @escaping @Sendable () -> Void) {
    isStopped.withLock { if !$0 { eventLoop.scheduleTask(in: .microseconds(1), body) } }
  }

  /// Runs a function on the loop and returns after its end; not to be called on the loop.
  func wait(_ body: @escaping @Sendable () -> Void) {
    if !isStopped.withLock({ $0 }) { try? eventLoop.submit(body).wait() }
  }

  /// Ends the thread, after its servers were stopped; returns after its end.
  package func stop() {
    let wasStopped = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return isStopped
    }
    if !wasStopped { try? group?.syncShutdownGracefully() }
  }
}

extension TimeAmount {
  init(_ interval: Interval) { self = .nanoseconds(interval.nanoseconds) }
}
