import Messages
import Weighing

/// What flow, timer, target, counting, containers and scanned labels add to a reading; each part only while it is in use.
struct WatchedInstruments: Hashable, Sendable {
  /// The distance to a target; masses in grams.
  struct Target: Hashable, Sendable {
    var mass: Double
    var tolerance: Double?
    /// Negative if there is too much; `nil` without a net.
    var remaining: Double?
    var check: TargetProgress.Check?
    /// The dose whose target it is.
    var dose: TargetProgress.DosePhase?
  }

  /// The count of pieces.
  struct Count: Hashable, Sendable {
    /// In grams.
    var pieceMass: Double
    /// `nil` while nothing has settled, and beyond `maximum`.
    var pieces: Int?
    var uncertainty: Double?
    var maximum: Int?
  }

  /// In grams per second; `nil` while it is unknown.
  var flow: Double?
  /// In seconds.
  var timer: Double?
  /// The number of pours of the brew.
  var pours: Int?
  var target: Target?
  var count: Count?
  var container: String?
  /// The scanned label for the next weighing.
  var label: String?

  /// Reads the fields of a reading.
  init(_ json: JSONValue) {
    flow = json["flow_g_s"]?.number
    timer = json["timer_s"]?.number.flatMap { (0..<1e9).contains($0) ? $0 : nil }
    pours = json["pours"]?.number.flatMap { Int(exactly: $0) }
    container = json["container"]?.text
    label = json["label"]?.text
    if let target = json["target"], let mass = target["target_g"]?.number {
      self.target = Target(
        mass: mass, tolerance: target["tolerance_g"]?.number, remaining: target["remaining_g"]?.number,
        check: target["check"]?.text.flatMap(TargetProgress.Check.init),
        dose: target["dose"]?.text.flatMap(TargetProgress.DosePhase.init))
    }
    if let mass = json["piece_g"]?.number {
      count = Count(
        pieceMass: mass, pieces: json["pieces"]?.number.flatMap { Int(exactly: $0) },
        uncertainty: json["pieces_uncertainty"]?.number,
        maximum: json["pieces_max"]?.number.flatMap { Int(exactly: $0) })
    }
  }
}
