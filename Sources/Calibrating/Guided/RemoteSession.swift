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

  private let request: Request
  /// Given to the dialog by the appliance when the session is opened.
  private let identifier = Mutex<String?>(nil)
  /// Tells the appliance that the user is there, and at the end that the user is gone.
  private let keeper = Worker<Never>("keep-alive")

  /// A fifth of the time after which the appliance ends a session.
  private static let interval = Interval(nanoseconds: CalibrationSession.patience.nanoseconds / 5)

  /// Makes a session that is not open.
  package init(request: @escaping Request) { self.request = request }

  /// Opens it: the appliance has given this identifier to the dialog.
  func open(_ identifier: String) {
    self.identifier.withLock { $0 = identifier }
    keeper.start { [request] inbox in
      while true {
        inbox.wait(until: .now() + Self.interval)
        let isOver = inbox.take().isStopping
        _ = try? request(Self.command(isOver ? "close" : "status", [], identifier))
        if isOver { return }
      }
    }
  }

  /// Ends it if it is open; may be called on two threads at a time. On return the appliance knows it, unless it does not answer.
  package func end() { keeper.stop(within: Self.closingLimit) }

  /// How long the program waits for the appliance at the end of the session.
  private static let closingLimit = Interval.seconds(10)

  /// The state of the calibration on the appliance.
  func progress() throws(MeasurementError) -> JSONValue { try request(nil) }

  /// Sends a command; returns the state after it.
  func perform(_ verb: String, _ fields: [(String, JSONValue)] = []) throws(MeasurementError) -> JSONValue {
    try request(Self.command(verb, fields, identifier.withLock { $0 }))
  }

  private static func command(_ verb: String, _ fields: [(String, JSONValue)], _ session: String?) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.key("do")
      json.string(verb)
      if let session {
        json.key("session")
        json.string(session)
      }
      for (key, value) in fields {
        json.key(key)
        json.plain(value)
      }
    }
    return json.bytes
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
