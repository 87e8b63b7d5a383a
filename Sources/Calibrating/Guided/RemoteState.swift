import Messages
import Weighing

/// The state of a calibration on a running appliance; its form is in `HTTP.md`.
struct RemoteState {
  /// A step and what was measured, in counts.
  struct Step {
    var mass: Grams
    /// Nil if it is not measured.
    var counts: Double?
    var spread: Double?
    var drift: Double?
  }

  private let json: JSONValue

  init(_ json: JSONValue) { self.json = json }

  /// Why it is over; `nil` while it is not.
  var end: (reason: String, detail: Sentence)? { reason("end") }
  /// What the last measurement has led to.
  var note: (reason: String, detail: Sentence)? { reason("note") }
  /// Why the last measurement is probably wrong.
  var question: Sentence? { Sentence(json, "question") }
  /// Whether it is under way.
  var isActive: Bool { json["state"]?.text == "active" }
  var isReady: Bool { json["activity"]?.text == "ready" }
  /// Whether it waits for another load than before.
  var awaitsChange: Bool { json["waiting"]?.isTrue == true }
  /// The pad; `nil` before it is connected to the session.
  var pad: String? { json["pad"]?.text }
  /// The origin of the calibration that a verification is about.
  var origin: Calibration.Origin { json["calibration"]?.text.flatMap(Calibration.Origin.init(rawValue:)) ?? .nominal }
  /// The file in which the calibration is stored; `nil` if it cannot be stored.
  var storage: String? { json["storage"]?.text }
  var division: Grams { Grams(json["division_g"]?.value ?? 1) }
  /// What the user has to do.
  var instruction: Sentence? { Sentence(json, "instruction") }
  /// The number of the current load of a verification or a test, and how much of an observation has passed.
  var task: (number: Int, progress: Double?)? {
    json["task"]?["number"]?.value.map { (Int($0), json["task"]?["progress"]?.value) }
  }
  /// The counts of the load, and how much of its rest has passed.
  var load: (counts: Double, progress: Double)? {
    json["load"]?["counts"]?.value.map { ($0, json["load"]?["progress"]?.value ?? 0) }
  }

  /// The steps.
  var steps: [Step] {
    json["steps"]?.items.map {
      Step(
        mass: Grams($0["mass_g"]?.value ?? 0), counts: $0["counts"]?.value, spread: $0["spread"]?.value,
        drift: $0["drift"]?.value)
    } ?? []
  }
  /// The masses to measure, each once.
  var masses: [Grams] {
    json["steps"]?.items.filter { $0["kind"]?.text == "mass" }.compactMap { $0["mass_g"]?.value }.map { Grams($0) }
      ?? []
  }
  /// The current step; `nil` if all are done.
  var step: Int? { json["step"]?.value.map { Int($0) } }

  /// The fit; `nil` while steps are open.
  var fit: JSONValue? { json["fit"].flatMap { $0 == .null ? nil : $0 } }
  /// The result of the verification.
  var verification: JSONValue? { json["verification"].flatMap { $0 == .null ? nil : $0 } }
  /// Whether the self-test is passed; `nil` before it is complete.
  var selfTestPasses: Bool? { json["self_test"]?["ok"]?.isTrue }

  private func reason(_ key: String) -> (reason: String, detail: Sentence)? {
    guard let reason = json[key]?["reason"]?.text, let detail = Sentence(json[key], "detail") else { return nil }
    return (reason, detail)
  }
}

extension JSONValue {
  /// The value of a number.
  var value: Double? { if case .number(let number) = self { number } else { nil } }
  /// The items of an array.
  var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }
}
