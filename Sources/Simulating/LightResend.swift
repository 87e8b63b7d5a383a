import Messages
import Weighing

/// The requests `command/resend` of a device, one after the other; a value without I/O.
///
/// As in an appliance, at most 16 wait, and all are forgotten when the connection ends. Nothing is parked.
struct LightResend {
  private struct Active {
    let command: Command
    var result: ResendResult
    /// The next sequence number to send.
    var next: Int
    var inFlight = 0
  }

  private var active: Active?
  private var queue: [(command: Command, range: ClosedRange<Int>, source: ActionSource)] = []

  static let capacity = 16
  /// The part of the rate that is left to new weighings while records are sent again, as in an appliance.
  static let reserve = 25

  /// Queues a request; `false` if too many are waiting.
  mutating func append(_ command: Command, _ range: ClosedRange<Int>, _ source: ActionSource) -> Bool {
    guard queue.count < Self.capacity else { return false }
    queue.append((command, range, source))
    return true
  }

  /// The connection has ended, and all requests with it.
  mutating func disconnect() { (active, queue) = (nil, []) }

  /// Takes the next records to send, of those that the journal has.
  mutating func take(_ count: Int, last: Int) -> [Int] {
    if active == nil, !queue.isEmpty {
      let (command, range, source) = queue.removeFirst()
      active = Active(command: command, result: ResendResult(range: range, source: source), next: range.lowerBound)
    }
    guard var request = active else { return [] }
    defer { active = request }
    let end = min(request.result.range.upperBound, last)
    guard request.next <= end, count > 0 else { return [] }
    let sequences = Array(request.next...min(end, request.next + count - 1))
    request.next += sequences.count
    request.inFlight += sequences.count
    return sequences
  }

  /// The broker has answered one of the records.
  mutating func acknowledge(isAccepted: Bool) {
    active?.inFlight -= 1
    if isAccepted { active?.result.sent += 1 }
  }

  /// Takes the answer to a request once all its records are acknowledged.
  mutating func takeAnswer(last: Int, at now: Instant) -> (ResendResult, Caller)? {
    guard var request = active, request.inFlight == 0, request.next > min(request.result.range.upperBound, last) else {
      return nil
    }
    let range = request.result.range
    if range.upperBound > last { request.result.missing = [max(range.lowerBound, last + 1)...range.upperBound] }
    request.result.last = last
    request.result.time = now
    active = nil
    return (request.result, request.command.caller)
  }

  /// Whether a request is waiting or being carried out.
  var isBusy: Bool { active != nil || !queue.isEmpty }
}
