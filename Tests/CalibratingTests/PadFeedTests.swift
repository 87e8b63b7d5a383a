import Configuration
import Foundation
import FoundationXML
import Recordings
import Testing
import Weighing

@testable import Calibrating

/// A whole calibration of the simulated pad: its events, the feed, the trial, the file and the scale that reads it.
@Suite struct PadFeedTests {
  private static let masses = [50.0, 100, 200, 300, 380]

  /// The events of somebody who puts one mass after the other on, eight seconds each, and takes each off again.
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

  private static func trial(seed: UInt64) throws -> (CalibrationTrial, CalibratedPad?) {
    let (recording, description) = recording(seed: seed)
    let feed = try PadFeed(
      recording, description: description, path: "test", configuration: Configuration(), time: .seconds(3))
    var trial = CalibrationTrial(observations: [], capacity: Grams(385), division: .gram)
    var (nothing, last): (LoadRest?, LoadRest?)
    for mass in [0] + masses + [0, masses[0]] {
      let before = [last, mass > 0 ? nothing : nil].compactMap(\.self)
      guard case .rest(let rest) = try feed.measure(unlike: before) else { throw Restless(mass: mass) }
      trial.observations.append(CalibrationObservation(mass: Grams(mass), rest: rest))
      nothing = nothing ?? rest
      last = rest
    }
    return (trial, feed.pad)
  }

  private struct Restless: Error { var mass: Double }

  @Test(arguments: UInt64(1)...12) func endsWithinAGram(_ seed: UInt64) throws {
    let (trial, pad) = try Self.trial(seed: seed)
    let record = CalibrationRecord(try trial.outcome(), of: trial, pad: pad, date: "2026-11-21T10:00:00.000Z")
    let read = try CalibrationRecord.parse(bytes: Array(record.yaml().utf8), file: "c.yaml")
    var configuration = Configuration()
    (configuration.calibration.curve, configuration.calibration.points) = (read.curve, read.points.map(\.point))
    let curve = try #require(try configuration.calibration.laid())
    let worst = stride(from: 0.0, through: 385, by: 0.5).map { grams in
      (curve.mass(atCounts: PadPhysics.typical.counts(at: Grams(grams))) - grams).magnitude
    }.max()
    #expect(try #require(worst) < 1, "\(worst ?? 0) g")
    #expect(read.pad == pad && pad?.name == "Grampad Simulated Pad")
  }

  @Test func itSaysThatNothingHasChanged() throws {
    let (recording, description) = Self.recording(seed: 1)
    let feed = try PadFeed(
      recording, description: description, path: "test", configuration: Configuration(), time: .seconds(3))
    guard case .rest(let nothing) = try feed.measure() else {
      Issue.record("not empty")
      return
    }
    #expect(nothing.counts == 0)
    guard case .unchanged = try feed.measure(unlike: [nothing], patience: .seconds(1)) else {
      Issue.record("nothing was taken for something")
      return
    }
  }

  /// A pad whose axis ends at 420 g under a brick.
  @Test func itSaysThatTheAxisEnds() throws {
    var script = LoadScript()
    script.place(Grams(600), at: .seconds(1))
    var pad = SimulatedPad(.typical, script: script)
    let feed = try PadFeed(
      Recording(description: pad.description, events: pad.events(until: .seconds(5))), description: pad.description,
      path: "test", configuration: Configuration(), time: .seconds(2))
    guard case .rest(let rest) = try feed.measure(unlike: [LoadRest(counts: 0)]) else {
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
    let record = CalibrationRecord(outcome, of: trial, pad: named, date: "2026-11-21T10:00:00.000Z")
    let svg = CalibrationDrawing(record, curve: outcome.choice.curve).svg
    let parser = XMLParser(data: Data(svg.utf8))
    #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "")")
    #expect(!svg.contains("nan") && !svg.contains("inf"))
    let chart = CalibrationChart(record, curve: outcome.choice.curve, division: .gram).text
    #expect(chart.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(chart)")
  }
}
