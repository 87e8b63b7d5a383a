import Certificates
import Configuration
import Foundation
import FoundationXML
import Recordings
import Testing

@testable import Calibrating
@testable import Weighing

/// A whole calibration of the simulated pad: its events, the measurements, the trial, the file and the resulting curve.
@Suite struct MeasurementSessionTests {
  static let masses = [50.0, 100, 200, 300, 380]

  /// The events of a pad on which one mass after the other is placed for eight seconds.
  private static func recording(seed: UInt64, form: PadProtocol = .slots) -> (Recording, PadDescription) {
    var script = LoadScript()
    for (index, mass) in (masses + [masses[0]]).enumerated() {
      let thing = script.place(Grams(mass), at: .seconds(Double(index) * 14 + 6))
      script.remove(thing, at: .seconds(Double(index) * 14 + 14))
    }
    var pad = SimulatedPad(.typical, script: script, reporting: form, seed: seed)
    // A recording begins with the state of the pad.
    let begin = InputEvent(time: pad.start, type: .synchronization, code: 0, value: 0)
    let events = [begin] + pad.events(until: .seconds(90))
    return (Recording(description: pad.description, events: events), pad.description)
  }

  static func session(seed: UInt64) throws -> MeasurementSession {
    let (recording, description) = recording(seed: seed)
    return try MeasurementSession(
      recording, description: description, path: "test", configuration: Configuration(), time: .seconds(3))
  }

  private static func trial(seed: UInt64) throws -> (CalibrationTrial, CalibratedPad?) {
    let session = try session(seed: seed)
    var trial = CalibrationTrial(observations: [], capacity: Grams(385), division: .gram)
    var (nothing, last): (LoadRest?, LoadRest?)
    for mass in [0] + masses + [0, masses[0]] {
      let before = [last, mass > 0 ? nothing : nil].compactMap(\.self)
      guard case .stable(let rest) = try session.measure(unlike: before) else { throw Unstable(mass: mass) }
      trial.observations.append(CalibrationObservation(mass: Grams(mass), rest: rest))
      nothing = nothing ?? rest
      last = rest
    }
    return (trial, session.pad)
  }

  private struct Unstable: Error { var mass: Double }

  @Test(arguments: UInt64(1)...12) func endsWithinAGram(_ seed: UInt64) throws {
    let (trial, pad) = try Self.trial(seed: seed)
    let record = StoredCalibration(try trial.outcome(), of: trial, pad: pad, date: "2026-11-21T10:00:00.000Z")
    let read = try StoredCalibration.parse(bytes: Array(record.yaml().utf8), file: "c.yaml")
    var configuration = Configuration()
    (configuration.calibration.curve, configuration.calibration.points) = (read.curve, read.points.map(\.point))
    let curve = try #require(try configuration.calibration.makeCurve())
    let worst = stride(from: 0.0, through: 385, by: 0.5).map { grams in
      (curve.mass(atCounts: PadPhysics.typical.counts(at: Grams(grams))) - grams).magnitude
    }.max()
    #expect(try #require(worst) < 1, "\(worst ?? 0) g")
    #expect(read.pad == pad && pad?.name == "Grampad Simulated Pad")
  }

  @Test func reportsAnUnchangedLoad() throws {
    let (recording, description) = Self.recording(seed: 1)
    let session = try MeasurementSession(
      recording, description: description, path: "test", configuration: Configuration(), time: .seconds(3))
    guard case .stable(let nothing) = try session.measure() else {
      Issue.record("not empty")
      return
    }
    #expect(nothing.counts == 0)
    guard case .unchanged = try session.measure(unlike: [nothing], patience: .seconds(1)) else {
      Issue.record("the empty pad was measured as a load")
      return
    }
  }

  /// A pad whose axis ends at 420 g under a brick.
  @Test func reportsTheEndOfTheAxis() throws {
    var script = LoadScript()
    script.place(Grams(600), at: .seconds(1))
    var pad = SimulatedPad(.typical, script: script)
    let session = try MeasurementSession(
      Recording(description: pad.description, events: pad.events(until: .seconds(5))), description: pad.description,
      path: "test", configuration: Configuration(), time: .seconds(2))
    guard case .stable(let rest) = try session.measure(unlike: [LoadRest(counts: 0)]) else {
      Issue.record("no rest")
      return
    }
    #expect(rest.isAtMaximum)
  }

  @Test(arguments: [1, 7] as [UInt64]) func drawsWhatAViewerReads(_ seed: UInt64) throws {
    let (trial, pad) = try Self.trial(seed: seed)
    let outcome = try trial.outcome()
    var named = pad
    named?.name = "<b> & \u{7}\"quoted\""
    let record = StoredCalibration(outcome, of: trial, pad: named, date: "2026-11-21T10:00:00.000Z")
    let svg = CalibrationDrawing(record, curve: outcome.choice.curve).svg
    let parser = XMLParser(data: Data(svg.utf8))
    #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "")")
    #expect(!svg.contains("nan") && !svg.contains("inf"))
    let chart = CalibrationChart(record, curve: outcome.choice.curve, division: .gram).text
    #expect(chart.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(chart)")
  }
}
