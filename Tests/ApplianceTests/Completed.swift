/// The value that a call passes on when it is done.
func completed<Value: Sendable>(_ call: (_ completion: @escaping @Sendable (Value) -> Void) -> Void) async -> Value {
  await withCheckedContinuation { continuation in call { continuation.resume(returning: $0) } }
}
