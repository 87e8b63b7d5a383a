import Synchronization

/// Collects the answers to a batch and sends them together.
final class RPCBatch: Sendable {
  private struct State: Sendable {
    var missing: Int
    var answers: [[UInt8]] = []
  }

  let messages: [RPCMessage]
  private let state: Mutex<State>
  private let send: @Sendable ([UInt8]) -> Void

  init(_ messages: [RPCMessage], _ send: @escaping @Sendable ([UInt8]) -> Void) {
    (self.messages, self.send) = (messages, send)
    let count = messages.count { message in
      switch message {
      case .request, .invalid: true
      case .notification, .answer: false
      }
    }
    state = Mutex(State(missing: count))
  }

  /// Adds an answer, empty for a cancelled request. After the last one all are sent; if all are empty, nothing is.
  func add(_ answer: [UInt8]) {
    let all = state.withLock { state -> [[UInt8]]? in
      if !answer.isEmpty { state.answers.append(answer) }
      state.missing -= 1
      return state.missing == 0 ? state.answers : nil
    }
    if let all, !all.isEmpty { send(RPCAnswer.batch(all)) }
  }
}
