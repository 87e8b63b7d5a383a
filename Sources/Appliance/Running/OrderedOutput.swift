import Synchronization

/// A state whose changes produce output, which is delivered in the order of the changes and without a lock held.
///
/// ```
///   thread A: change ──► deliver own output ──► deliver output of B ──►
///   thread B:                  change ──► (A is delivering: return)
/// ```
/// Without the lock, two threads could deliver in another order than they changed the state. Therefore only one thread
/// delivers at a time, and a thread that changes the state meanwhile adds its output to what that thread delivers next.
/// `deliver` may change the state, too.
final class OrderedOutput<State: Sendable, Output: Sendable>: Sendable {
  private struct Contents: Sendable {
    var state: State
    /// The output of changes that was not passed to `deliver` yet.
    var pending: Output
    var hasPending = false
    var isDelivering = false
  }

  private let contents: Mutex<Contents>
  private let empty: Output
  private let deliver: @Sendable (inout Output) -> Void

  /// Makes a state.
  ///
  /// - Parameters:
  ///   - empty: An output with nothing to deliver.
  ///   - deliver: Delivers an output and empties it; called on any thread that changes the state, so it must not wait.
  init(_ state: State, empty: Output, deliver: @escaping @Sendable (inout Output) -> Void) {
    contents = Mutex(Contents(state: state, pending: empty))
    (self.empty, self.deliver) = (empty, deliver)
  }

  /// Reads the state.
  func read<Result: Sendable>(_ body: (State) -> Result) -> Result { contents.withLock { body($0.state) } }

  /// Changes the state; then delivers the output, unless another thread is delivering and does it.
  ///
  /// - Parameter change: Adds its output to what is pending; must not wait or change this state again.
  func update<Result: Sendable>(_ change: (inout State, inout Output) -> Result) -> Result {
    var output = empty
    let (result, delivers) = contents.withLock { contents in
      let result = change(&contents.state, &contents.pending)
      contents.hasPending = true
      return (result, !contents.isDelivering && Self.takePending(&contents, &output))
    }
    guard delivers else { return result }
    repeat { deliver(&output) } while contents.withLock { Self.takePending(&$0, &output) }
    return result
  }

  /// Exchanges an empty output, whose memory is used again, for the pending one; returns whether there is one to deliver.
  private static func takePending(_ contents: inout Contents, _ output: inout Output) -> Bool {
    swap(&contents.pending, &output)
    contents.isDelivering = contents.hasPending
    contents.hasPending = false
    return contents.isDelivering
  }
}
