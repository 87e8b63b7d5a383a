import Languages
import Weighing

/// A request of a page or a program that calibrates a running scale.
package struct CalibrationCommand: Hashable, Sendable {
  /// What to do.
  package enum Work: Hashable, Sendable {
    /// Start a session.
    case start(Start)
    /// Continue the session of another page or program.
    case takeOver
    /// Report the state; the user is still there.
    case status
    /// Pass on a request to the session.
    case request(CalibrationSession.Request, conditions: String? = nil)
    /// Use the new calibration.
    case apply(acceptsDoubt: Bool)
    /// Use the calibration from before the session again.
    case undo
    /// End the session.
    case close
  }

  /// How a session starts.
  package struct Start: Hashable, Sendable {
    /// The masses to measure; none for a verification or a self-test alone.
    package var masses: [Grams] = []
    /// The shape of the curve; `nil` for the best one.
    package var shape: CurveShape?
    /// How long a load has to be at rest.
    package var rest = Interval.seconds(3)
    /// Whether it ends the session of another page.
    package var replaces = false
  }

  /// The maximum length of a payload.
  package static let maximumBytes = 4096
  /// The most masses of a calibration.
  package static let mostMasses = 32
  /// The longest session identifier.
  private static let longestSession = 64
  /// The longest creep test.
  private static let longestCreep = 1800.0

  /// The session that the command is for; `nil` to start one or to take it over.
  package var session: String?
  /// What to do.
  package var work: Work

  private enum Verb: String, CaseIterable {
    case start, status, measure, keep, skip, select, correct, fit, apply, undo, verify, stop, close
    case takeOver = "take_over"
    case repeatStep = "repeat"
    case selfTest = "self_test"
  }

  /// Reads a command.
  ///
  /// - Throws: `PayloadError`.
  package init(_ payload: [UInt8]) throws(PayloadError) {
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(payload, maximumBytes: Self.maximumBytes)
    } catch {
      throw PayloadError(error, maximumBytes: Self.maximumBytes)
    }
    guard case .object(let fields) = json else { throw PayloadError(.expected(.acceptsObject)) }
    var reader = FieldReader(fields)
    session = try reader.text("session", maximumBytes: Self.longestSession)
    guard let verb = try reader.word("do", of: Verb.allCases) else {
      throw reader.error("do", Sentence(.parameterMissing))
    }
    work = try Self.work(verb, &reader)
    if verb != .start, verb != .takeOver, session == nil { throw reader.error("session", Sentence(.parameterMissing)) }
    try reader.finish()
  }

  private static func work(_ verb: Verb, _ reader: inout FieldReader) throws(PayloadError) -> Work {
    switch verb {
    case .start: .start(try start(&reader))
    case .takeOver: .takeOver
    case .status: .status
    case .measure: .request(.measure)
    case .keep: .request(.keep)
    case .repeatStep: .request(.repeatStep)
    case .skip: .request(.skip)
    case .stop: .request(.stop)
    case .select: .request(.select(try reader.count("step", 0...2 * mostMasses)))
    case .correct:
      .request(
        .correct(
          step: try reader.count("step", 0...2 * mostMasses), mass: try reader.mass("mass_g", reader.read("mass_g"))))
    case .fit: .request(.choose(try reader.word("curve", of: CurveShape.allCases)))
    case .verify:
      .request(
        .verify(
          try reader.mass("mass_g", reader.read("mass_g")),
          tolerance: try reader.number("tolerance_g", 0...Grams.maximum.value).map { Grams($0) }))
    case .selfTest:
      .request(
        .selfTest(
          try reader.mass("mass_g", reader.read("mass_g")), rounds: try reader.count("times", 2...20, default: 5),
          creepTime: .seconds(try reader.number("creep_s", 1...longestCreep) ?? 60)),
        conditions: try reader.text("conditions", maximumBytes: 400))
    case .apply: .apply(acceptsDoubt: try reader.flag("accept_doubt"))
    case .undo: .undo
    case .close: .close
    }
  }

  private static func start(_ reader: inout FieldReader) throws(PayloadError) -> Start {
    var start = Start()
    start.shape = try reader.word("curve", of: CurveShape.allCases)
    start.rest = .seconds(try reader.number("rest_s", 0.5...600) ?? 3)
    start.replaces = try reader.flag("replace")
    guard let value = reader.read("masses_g") else { return start }
    guard case .array(let list) = value, list.count <= mostMasses else {
      throw reader.error("masses_g", .expected(.acceptsMasses, ["limit": mostMasses]))
    }
    for item in list { start.masses.append(try reader.mass("masses_g", item)) }
    guard Set(start.masses).count == start.masses.count else {
      throw reader.error("masses_g", Sentence(.payloadSameMass))
    }
    return start
  }
}

extension FieldReader {
  fileprivate mutating func number(_ key: String, _ range: ClosedRange<Double>) throws(PayloadError) -> Double? {
    guard let value = read(key) else { return nil }
    guard case .number(let number) = value, range.contains(number) else {
      throw error(
        key,
        .expected(.acceptsNumber, ["least": numberText(range.lowerBound), "most": numberText(range.upperBound)]))
    }
    return number
  }

  fileprivate mutating func count(
    _ key: String, _ range: ClosedRange<Int>, default missing: Int? = nil
  ) throws(PayloadError) -> Int {
    let value = read(key)
    if value == nil, let missing { return missing }
    guard case .number(let number)? = value, let count = Int(exactly: number), range.contains(count) else {
      throw error(key, .expected(.acceptsInteger, ["least": range.lowerBound, "most": range.upperBound]))
    }
    return count
  }

  /// A mass above zero that an axis can measure.
  fileprivate func mass(_ key: String, _ value: JSONValue?) throws(PayloadError) -> Grams {
    guard case .number(let grams)? = value, grams >= 0.001, grams <= Grams.maximum.value else {
      throw error(key, .expected(.acceptsMassFrom, ["least": "0.001", "most": numberText(Grams.maximum.value)]))
    }
    return Grams(grams)
  }

  fileprivate mutating func flag(_ key: String) throws(PayloadError) -> Bool {
    guard let value = read(key) else { return false }
    guard let flag = value.isTrue else { throw error(key, .expected(.oneOf(["true", "false"]))) }
    return flag
  }
}
