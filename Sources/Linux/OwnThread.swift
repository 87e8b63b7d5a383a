import CLinux
import Glibc
import SystemPackage

/// A thread that runs one function and is never joined; use a `Signal` to learn of its end.
package enum OwnThread {
  private final class Body: Sendable {
    let name: StaticString
    let run: @Sendable () -> Void

    init(_ name: StaticString, _ run: @escaping @Sendable () -> Void) {
      (self.name, self.run) = (name, run)
    }
  }

  /// Starts `body` on a new thread. `pthread_create(3)`
  ///
  /// All signals are blocked on it, so that they reach the threads that wait for them.
  package static func start(name: StaticString, _ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Body(name, body)).toOpaque()
    let code = withSignalsBlocked { pthread_create(&thread, nil, entry, context) }
    if code != 0 { DescriptorLimit.end("pthread_create", code) }
    pthread_detach(thread)
  }

  /// Runs a function with all signals blocked, so that threads that it starts get none. `pthread_sigmask(3)`
  package static func withSignalsBlocked<Value>(_ body: () -> Value) -> Value {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return body()
  }

  /// Sets the name of the calling thread for `ps` and `top`; the kernel keeps 15 bytes. `proc(5)`
  private static func name(_ name: StaticString) {
    let path: FilePath = "/proc/thread-self/comm"
    guard let file = try? FileDescriptor.open(path, .writeOnly, options: .closeOnExec) else { return }
    _ = try? file.writeAll(name.description.utf8)
    try? file.close()
  }

  private static let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
    guard let context else { return nil }
    let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
    name(body.name)
    body.run()
    return nil
  }
}
