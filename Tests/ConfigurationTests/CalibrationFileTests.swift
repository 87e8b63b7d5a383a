import Foundation
import Languages
import Testing
import Weighing

@testable import Configuration

/// The file that `calibrate` writes and the appliance reads.
@Suite struct CalibrationFileTests {
  private static let pad = CalibratedPad(
    PadDescription(
      name: "Pad: \"one\"\n", id: PadIdentity(bus: 3, vendor: 0x6cb, product: 0xffff, version: 1), unique: "0123"),
    axis: LoadAxis(
      code: .multitouchPressure, range: AxisRange(minimum: -5, maximum: 1023), kind: .slots, offset: 0))

  private static func record(_ points: [(Double, Double)], pad: CalibratedPad? = pad) throws -> StoredCalibration {
    let trial = CalibrationTrial(
      observations: points.map { CalibrationObservation(mass: Grams($1), counts: $0) }, capacity: Grams(385),
      division: .gram)
    return StoredCalibration(try trial.outcome(), of: trial, pad: pad, date: "2026-11-21T10:00:00.000Z")
  }

  private static let points = [(0.0, 0.0), (133.337, 50), (250, 100), (500, 200), (962, 385)]

  @Test func readsWhatItWrites() throws {
    let record = try Self.record(Self.points)
    let read = try StoredCalibration.parse(bytes: Array(record.yaml().utf8), file: "c.yaml")
    #expect(read.date == record.date && read.curve == record.curve)
    #expect(read.emptyCounts == 0)
    #expect(read.points.map(\.point) == record.points.map(\.point))
    #expect(read.pad == Self.pad, "\(record.yaml())")
  }

  @Test func theAxesOfASumAreAList() throws {
    let board = PadDescription.balanceBoard
    let pad = CalibratedPad(board, axis: try board.loadAxis(.automatic))
    let text = try Self.record(Self.points, pad: pad).yaml()
    #expect(text.contains("axis: [ABS_HAT0X, ABS_HAT0Y, ABS_HAT1X, ABS_HAT1Y]"), "\(text)")
    let read = try StoredCalibration.parse(bytes: Array(text.utf8), file: "c.yaml")
    #expect(read.pad == pad)
    #expect(read.pad?.match(pad) == .same)
  }

  @Test func keepsThePreviousFile() throws {
    let folder = try TemporaryFolder()
    let file = CalibrationFile("calibration.yaml", in: folder.path)
    #expect(try file.read() == nil)
    let first = try Self.record(Self.points)
    try file.write(first)
    #expect(!FileManager.default.fileExists(atPath: file.previous))
    try file.write(try Self.record(Self.points.map { ($0 + 1, $1) }))
    #expect(try file.read()?.points.first?.point.counts == 1)
    #expect(try CalibrationFile(file.previous, in: "/").read()?.points.first?.point.counts == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
  }

  @Test func writesThroughASymbolicLink() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/link.yaml", withDestinationPath: "\(folder.path)/real.yaml")
    try Data().write(to: URL(fileURLWithPath: "\(folder.path)/real.yaml"))
    try CalibrationFile("link.yaml", in: folder.path).write(try Self.record(Self.points))
    #expect(try CalibrationFile("real.yaml", in: folder.path).read()?.points.count == 5)
    #expect(throws: Never.self) {
      try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder.path)/link.yaml")
    }
  }

  @Test func takesPrecedenceOverTheConfiguration() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/scale.yaml"
    try Data("calibration: {curve: linear, points: [{raw: 0, grams: 0}, {raw: 9, grams: 9}], file: c.yaml}".utf8)
      .write(to: URL(fileURLWithPath: path))
    var file = try ConfigurationFile(path: path)
    #expect(file.current.calibration.points.count == 2, "not there yet")
    #expect(file.locations == [path, "\(folder.path)/grampad.settings.yaml", "\(folder.path)/c.yaml"])
    #expect(
      file.current.calibrationWarning(for: nil, in: folder.path)?.description.contains("does not exist yet") == true)
    let record = try Self.record(Self.points)
    try CalibrationFile("c.yaml", in: folder.path).write(record)
    let before = file.current.fingerprint
    _ = try file.reload().get()
    #expect(file.current.calibration.points.count == 5)
    #expect(file.current.calibration.curve == record.curve)
    #expect(file.current.fingerprint != before, "another calibration, another hash")
    #expect(try file.current.scaleSettings().curvePad?.maximum == 1023)
    #expect(
      try file.current.scaleSettings().curveZero == CalibratedZero(counts: 0, date: "2026-11-21T10:00:00.000Z"))
    #expect(file.current.calibrationWarning(for: nil, in: folder.path) == nil)
  }

  /// A mass that the others contradict is named with what they predict, as in a guided calibration.
  @Test(arguments: [20.0, 40, 100, 200, 350])
  func aMistypedPointIsNamed(_ mass: Double) throws {
    func warning(_ typed: Double) throws -> String? {
      var configuration = Configuration()
      configuration.calibration.curve = .polynomial
      configuration.calibration.points = [0, 20, 40, 100, 200, 350].map {
        CalibrationPoint(counts: 500 + 2.5 * $0, mass: Grams($0 == mass ? typed : $0))
      }
      return configuration.calibrationWarning(for: nil, in: "/")?.description
    }
    #expect(try warning(mass) == nil)
    let text = try #require(try warning(mass * 1.4))
    #expect(
      text.hasPrefix(
        "\(DecimalText.trimmed(mass * 1.4, decimals: 2)) g at \(DecimalText.fixed(500 + 2.5 * mass, decimals: 2)) counts is far from"
      ))
    #expect(text.contains("predicts about \(DecimalText.trimmed(mass, decimals: 1)) g."))
  }

  /// Also where no single mass is the only possible mistake: the words are those of `calibrate --from`.
  @Test func aDoubtfulPointIsNamed() throws {
    var configuration = Configuration()
    configuration.calibration.points = [(0, 0), (20, 20), (50, 55), (100, 94), (200, 220), (350, 330)].map {
      CalibrationPoint(counts: 500 + 2.5 * $0, mass: Grams($1))
    }
    let warning = try #require(configuration.calibrationWarning(for: nil, in: "/"))
    let trial = CalibrationTrial(
      observations: configuration.calibration.points.map { CalibrationObservation(mass: $0.mass, counts: $0.counts) },
      capacity: configuration.scale.capacity, division: configuration.scale.division, shape: .monotone)
    let doubt = try #require(try trial.outcome().doubt)
    #expect(warning.description == doubt.description)
    #expect(warning.description.contains("The other masses predict about"))
  }

  @Test(arguments: [
    ("", "points: missing"), ("points: []", "no points"),
    ("points: [{raw: 0, grams: 0}]", "at least two points are required"),
    ("points: [[0, 0], [9, 9]]", "write each point as {raw: 0, grams: 0}"),
    ("points: [{raw: 0, grams: 0}, {raw: 9, grams: -1}]", "grams must increase with raw"),
    ("points: [{raw: 0, grams: 0}, {raw: 9, grams: 9}]\nmade: today", "unknown section"),
    ("points: [{raw: 0, grams: 0}, {raw: 9, grams: 9}]\npad: {axis: ABS_NONE}", "ABS_"),
    (
      "points: [{raw: 0, grams: 0}, {raw: 9, grams: 9}]\ncurve: cubic", "expected linear, monotone, polynomial or power"
    ),
    ("\u{0}", "control character"), ("points: [", "c.yaml:"),
  ])
  func reportsAnInvalidFile(text: String, words: String) throws {
    let error = try #require(throws: ConfigurationError.self) {
      try StoredCalibration.parse(bytes: Array(text.utf8), file: "c.yaml")
    }
    #expect(error.description.contains(words), "\(error)")
    #expect(error.description.hasPrefix("c.yaml:"), "\(error)")
  }

  private final class TemporaryFolder {
    let path: String
    init() throws {
      path = FileManager.default.temporaryDirectory.appending(path: "grampad-calibration-\(UUID().uuidString)").path
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }
}
