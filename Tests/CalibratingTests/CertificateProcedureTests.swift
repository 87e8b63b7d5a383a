import Configuration
import Glibc
import Recordings
import Terminal
import Testing
import Weighing

@testable import Calibrating

/// The measurements of a certificate on the simulated pad, with typed temperatures.
@Suite struct CertificateProcedureTests {
  private static let masses = [50.0, 100, 200].map { ReferenceMass(nominal: Grams($0)) }
  private static let corners = [(0.5, 0.5), (0.25, 0.75), (0.25, 0.25), (0.75, 0.25), (0.75, 0.75)].map {
    Position(x: $0.0, y: $0.1)
  }

  /// Loads one after the other, with six seconds between them.
  private struct Loads {
    var script = LoadScript()
    var time = 6.0

    mutating func put(_ grams: Double, at position: Position = LoadScript.middle, for seconds: Double = 8) {
      let thing = script.place(Grams(grams), at: .seconds(time), position: position)
      script.remove(thing, at: .seconds(time + seconds))
      time += seconds + 6
    }

    /// 50 g, 150 g and 350 g, and back.
    mutating func putSteps() {
      var things: [LoadScript.Thing] = []
      for (index, grams) in [50.0, 100, 200].enumerated() {
        let position = Position(x: 0.3 + 0.2 * Double(index), y: 0.5)
        things.append(script.place(Grams(grams), at: .seconds(time), position: position))
        time += 8
      }
      for thing in things.reversed() {
        script.remove(thing, at: .seconds(time))
        time += 8
      }
    }

    /// Everything that a certificate with masses of 50, 100 and 200 g needs.
    static let all = {
      var loads = Loads()
      for grams in [100.0, 200] { for _ in 0..<5 { loads.put(grams) } }
      for corner in corners { loads.put(100, at: corner) }
      loads.putSteps()
      loads.put(200, for: 14)
      return loads
    }()
  }

  private struct Run {
    var measurements: CertificateMeasurements
    var saved: [CertificateMeasurements]
    var output: String
  }

  /// Runs the procedure on a pad that reads 1 % too much.
  private func run(_ loads: Loads, from measurements: CertificateMeasurements, answers: String) throws -> Run {
    var physics = PadPhysics.typical
    physics.noiseCounts = 0.5
    var pad = SimulatedPad(physics, script: loads.script, reporting: .slots, seed: 3)
    let begin = InputEvent(time: pad.start, type: .synchronization, code: 0, value: 0)
    let events = [begin] + pad.events(until: .seconds(loads.time + 20))
    var configuration = Configuration()
    configuration.calibration.points = physics.calibrationPoints(12, upTo: Grams(410)).map {
      CalibrationPoint(raw: $0.raw, mass: Grams($0.grams.value * 1.01))
    }
    let session = try MeasurementSession(
      Recording(description: pad.description, events: events), description: pad.description, path: "test",
      configuration: configuration, time: .seconds(3))
    var (input, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    try #require(pipe(&input) == 0 && pipe(&output) == 0)
    defer { for end in input + output where end >= 0 { close(end) } }
    _ = Array(answers.utf8).withUnsafeBytes { write(input[1], $0.baseAddress, $0.count) }
    close(input[1])
    input[1] = -1
    var saved: [CertificateMeasurements] = []
    let procedure = CertificateProcedure(
      measurements, on: session, creepTime: .seconds(6),
      dialog: TerminalDialog(input: input[0], output: output[1])
    ) { saved.append($0) }
    let measured = try procedure.run()
    close(output[1])
    output[1] = -1
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(output[0], &bytes, bytes.count)
    return Run(measurements: measured, saved: saved, output: String(decoding: bytes[..<max(count, 0)], as: UTF8.self))
  }

  private static var begun: CertificateMeasurements {
    var measurements = CertificateMeasurements(resolution: Grams(0.1))
    measurements.masses = masses
    return measurements
  }

  @Test func measuresEverything() throws {
    let run = try run(.all, from: Self.begun, answers: "21,5 °C\n21.7\n")
    let measurements = run.measurements
    #expect(measurements.missing.isEmpty, "\(measurements.missing)")
    #expect(measurements.temperatures == [21.5, 21.7])
    #expect(measurements.repeatability.map(\.load.name) == ["100 g", "200 g"])
    #expect(measurements.steps.map(\.load.nominal.value) == [0, 50, 150, 350])
    let eccentricity = try #require(measurements.eccentricity)
    #expect(eccentricity.placements.map(\.name) == ["centre", "front left", "back left", "back right", "front right"])
    for (placement, corner) in zip(eccentricity.placements, Self.corners) {
      let position = try #require(placement.position)
      #expect((position.x - corner.x).magnitude < 0.02 && (position.y - corner.y).magnitude < 0.02)
    }
    #expect(run.output.contains("Put 100 g halfway to the back right corner.\n"))
    #expect(run.output.contains("Add 100 g: 150 g in all.\n"))
    #expect(run.output.contains("Take 200 g off: 150 g are left.\n"))
    let results = try CertificateResults(measurements, division: Grams(1), capacity: Grams(385))
    // 1 % too much, within a gram of hysteresis, creep and noise.
    for error in results.errors {
      #expect((error.error.value - 0.01 * error.load.value.value).magnitude < 1, "\(error.load.name)")
    }
    #expect((results.inUse.errorGain - 0.01).magnitude < 0.003)
    #expect(!results.isTraceable)
  }

  /// Every saved state can be read again, and is continued without repeating anything.
  @Test func continues() throws {
    let whole = try run(.all, from: Self.begun, answers: "20\n21\n")
    #expect(whole.saved.count == 1 + 10 + 5 + 1 + 1 + 1)
    for saved in whole.saved {
      let yaml = saved.yaml()
      let read = try CertificateMeasurements.parse(bytes: Array(yaml.utf8), file: "series.yaml", resolution: Grams(9))
      #expect(read == saved, "\(yaml)")
    }
    var loads = Loads()
    for corner in Self.corners.dropFirst(2) { loads.put(100, at: corner) }
    loads.putSteps()
    loads.put(200, for: 14)
    let rest = try run(loads, from: whole.saved[12], answers: "21\n")
    #expect(rest.measurements.missing.isEmpty, "\(rest.measurements.missing)")
    #expect(rest.measurements.repeatability == whole.measurements.repeatability)
    #expect(
      rest.measurements.eccentricity?.placements.prefix(2) == whole.measurements.eccentricity?.placements.prefix(2))
    #expect(rest.output.hasPrefix("Eccentricity, 3 of 5\n"), "\(rest.output)")
  }

  @Test func asksAgainForALoadThatIsElsewhere() throws {
    var begun = try run(.all, from: Self.begun, answers: "20\n21\n").measurements
    begun.eccentricity?.placements.removeLast()
    var loads = Loads()
    loads.put(100, at: Self.corners[1])
    loads.put(100, at: Self.corners[4])
    let again = try run(loads, from: begun, answers: "")
    #expect(
      again.output.contains("The pad reports it at 25 % from the left and 75 % from the back."), "\(again.output)")
    let position = try #require(again.measurements.eccentricity?.placements.last?.position)
    #expect((position.x - 0.75).magnitude < 0.02)
  }

  @Test func requiresTwoMasses() throws {
    var begun = Self.begun
    begun.masses = [50, 400].map { ReferenceMass(nominal: Grams($0)) }
    #expect(throws: MeasurementError.tooFewMasses(1, capacity: Grams(385))) {
      try run(Loads(), from: begun, answers: "")
    }
  }
}
