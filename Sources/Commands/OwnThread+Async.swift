import EventLoop

/// Runs a blocking body on a thread of its own instead of on Swift's cooperative pool.
package func onOwnThread<Value: Sendable>(_ name: StaticString, _ body: @escaping @Sendable () -> Value) async -> Value
{
  await withCheckedContinuation { continuation in
    OwnThread.start(name: name) { continuation.resume(returning: body()) }
  }
}
