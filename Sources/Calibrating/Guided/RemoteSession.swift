import Linux
import Messages
import Synchronization
import Weighing

/// The session of a dialog on a running appliance. While it is open, the appliance is told that the user is still there, and no
/// other client can calibrate.
package final class RemoteSession: Sendable {
  /// Sends a command, or without one requests the state; returns the answer.
  ///
  /// May be called on two threads at a time.
  package typealias Request = @Sendable (_ command: [UInt8]?) throws(MeasurementError) -> JSONValue

  private enum State: Sendable {
    case new
    case open(String)
    case ended
  }

  private let request: Request
  private let state = Mutex(State.new)
  /// Tells the appliance that the user is there.
  private let keeper = Worker<Never>("keep-alive")
  /// Raised when the appliance knows that the user is gone.
  private let closed = Signal()

  /// A fifth of the time after which the appliance ends a session.
  private static let interval = Interval(nanoseconds: CalibrationSession.patience.nanoseconds / 5)

  /// Makes a session that is not open.
  package init(request: @escaping Request) { self.request = request }

  /// Opens it: the appliance has given this identifier to the dialog.
  func open(_ identifier: String) {
    state.withLock { $0 = .open(identifier) }
    keeper.start { [request] inbox in
      while true {
        inbox.wait(until: .now() + Self.interval)
        if inbox.take().isStopping { return }
        _ = try? request(Self.command("status", [], identifier))
      }
    }
  }

  /// Ends it on the appliance if it is open; may be called on two threads at a time. The appliance knows it on return.
  package func end() {
    keeper.stop()
    let former = state.withLock { state in
      let former = state
      if case .open = state { state = .ended }
      return former
    }
    switch former {
    case .new: break
    case .open(let identifier):
      _ = try? request(Self.command("close", [], identifier))
      closed.raise()
    case .ended: _ = closed.wait(milliseconds: Self.closingLimit)
    }
  }

  /// How long the program waits for the other thread that ends the session.
  private static let closingLimit: Int32 = 10_000

  /// The state of the calibration on the appliance.
  func progress() throws(MeasurementError) -> JSONValue { try request(nil) }

  /// Sends a command; returns the state after it.
  func perform(_ verb: String, _ fields: [(String, JSONValue)] = []) throws(MeasurementError) -> JSONValue {
    let identifier: String? = state.withLock { if case .open(let identifier) = $0 { identifier } else { nil } }
    return try request(Self.command(verb, fields, identifier))
  }

  private static func command(_ verb: String, _ fields: [(String, JSONValue)], _ session: String?) -> [UInt8] {
    JSONWriter.object { json in
      json.field("do", verb)
      if let session { json.field("session", session) }
      for (key, value) in fields {
        json.key(key)
        json.plain(value)
      }
    }
  }
}

extension JSONWriter {
  /// Writes a value without objects.
  fileprivate mutating func plain(_ value: JSONValue) {
    switch value {
    case .null, .object: null()
    case .boolean(let flag): boolean(flag)
    case .number(let number): self.number(number)
    case .string(let text): string(text)
    case .array(let items): array { json in for item in items { json.plain(item) } }
    }
  }
}
