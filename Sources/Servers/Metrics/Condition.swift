import Messages
import Weighing

/// The condition of the appliance according to its newest reading and health.
struct Condition {
  /// Whether it fulfils its purpose.
  enum Verdict: String {
    /// Everything works.
    case ok
    /// It weighs and records; something else does not work.
    case degraded
    /// It does not weigh, or cannot record.
    case failing
  }

  let reading: JSONValue?
  let health: JSONValue?
  let isReadingOld: Bool

  /// Reads the newest payloads.
  ///
  /// - Parameter heartbeat: The longest time between two readings, in seconds.
  init(_ feeds: FeedCache, heartbeat: Double) {
    reading = feeds.newest(.live).flatMap { try? JSONValue($0, maximumBytes: 1 << 17) }
    health = feeds.newest(.health).flatMap { try? JSONValue($0, maximumBytes: 1 << 17) }
    // Two heartbeats and a margin: one may be late.
    isReadingOld = (feeds.readingAge?.seconds ?? .infinity) > heartbeat * 2 + 1
  }

  /// Whether a part of the health has this state.
  func isHealthy(_ part: String, _ state: String) -> Bool { health?[part]?["state"]?.text == state }

  /// The faults, worst first; `isFatal` if the scale cannot weigh or record.
  var faults: [(text: String, isFatal: Bool)] {
    var faults: [(String, Bool)] = []
    if isReadingOld { faults.append(("no reading", true)) }
    for (part, state, isFatal) in [
      ("pad", "present", true), ("journal", "available", true), ("broker", "connected", false),
      ("configuration", "in_force", false),
    ] where !isHealthy(part, state) {
      faults.append((part + ": " + (health?[part]?["reason"]?.text ?? "unknown"), isFatal))
    }
    switch health?["pad"]?["warning"]?.text.flatMap(PadWarning.init) {
    case .noSamples?: faults.append(("pad: no samples", true))
    case .noSignal?: faults.append(("pad: no signal", true))
    case .notCalibrated?: faults.append(("pad: not calibrated", true))
    case .tooNoisy?: faults.append(("pad: too noisy", false))
    case .rangeExceeded?: faults.append(("pad: range exceeded", false))
    case .contactArea?: faults.append(("pad: measures contact area", false))
    case .plateTooHeavy?, .padSuspect?, nil: break
    }
    if let parked = health?["outbox"]?["parked"]?.number, parked > 0 {
      faults.append(("outbox: the broker rejected weighings", false))
    }
    return faults
  }

  /// The overall condition.
  var verdict: Verdict {
    let faults = faults
    return faults.isEmpty ? .ok : faults.contains(where: \.isFatal) ? .failing : .degraded
  }

  /// The body of /healthz.
  var json: [UInt8] {
    JSONWriter.object { json in
      json.fields(("status", verdict.rawValue))
      json.array("faults", faults) { json, fault in json.string(fault.text) }
    }
  }
}

extension JSONValue {
  /// The value of a number.
  var number: Double? { if case .number(let value) = self { value } else { nil } }
}
