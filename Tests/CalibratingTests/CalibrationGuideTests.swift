import Configuration
import Glibc
import Recordings
import Terminal
import Testing
import Weighing

@testable import Calibrating

/// The guide with a recording of a calibration and typed answers.
@Suite struct CalibrationGuideTests {
  /// Runs the guide; returns its result and its output.
  private func guide<Result>(
    _ answers: String, _ body: (CalibrationGuide, LocalCalibration) throws -> Result
  ) throws -> (result: Swift.Result<Result, any Error>, output: String) {
    var (input, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    try #require(pipe(&input) == 0 && pipe(&output) == 0)
    defer { for end in input + output where end >= 0 { close(end) } }
    _ = Array(answers.utf8).withUnsafeBytes { write(input[1], $0.baseAddress, $0.count) }
    close(input[1])
    input[1] = -1
    let calibration = LocalCalibration(try MeasurementSessionTests.session(seed: 1))
    let guide = CalibrationGuide(calibration, dialog: TerminalDialog(input: input[0], output: output[1]))
    let result = Swift.Result { try body(guide, calibration) }
    close(output[1])
    output[1] = -1
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(output[0], &bytes, bytes.count)
    return (result, String(decoding: bytes[..<max(count, 0)], as: UTF8.self))
  }

  @Test func measuresEachMass() throws {
    let masses = MeasurementSessionTests.masses.map { Grams($0) }
    let (result, output) = try guide(String(repeating: "\n", count: masses.count + 3)) { guide, calibration in
      try guide.observe(masses)
      return calibration.trial.observations
    }
    #expect(try result.get().map(\.mass) == [.zero] + masses + [.zero, masses[0]])
    #expect(output.contains("1 of 8: Take everything off the pad.\n"), "\(output)")
    #expect(output.contains("8 of 8: Put 50 g on again, to check that it weighs the same.\n"), "\(output)")
  }

  @Test func asksForMassesUntilTheyAreValid() throws {
    let (result, output) = try guide("50\nx\n50 100g\n") { guide, _ in try guide.observe([]) }
    #expect(throws: MeasurementError.cancelled) { try result.get() }
    #expect(output.split(separator: "Enter at least two numbers above 0.").count == 3, "\(output)")
  }

  @Test func cancelsWhenTheUserQuits() throws {
    let (result, _) = try guide("q\n") { guide, _ in try guide.observe([Grams(50), Grams(100)]) }
    #expect(throws: MeasurementError.cancelled) { try result.get() }
  }

  @Test(arguments: [("", false, true), ("y", true, true), ("", true, false), ("n", false, false)])
  func confirmsWriting(_ answer: String, inDoubt: Bool, expected: Bool) throws {
    let (result, output) = try guide(answer + "\n") { guide, _ in guide.confirmsWriting(to: "c.yaml", inDoubt: inDoubt)
    }
    #expect(try result.get() == expected)
    #expect(output == "Write c.yaml? \(inDoubt ? "[y/N]" : "[Y/n]") \n")
  }

  @Test(arguments: [
    ("50, 100 200", [50.0, 100, 200] as [Double]?), ("99.5", [99.5]), ("0", nil), ("-1", nil), ("50 x", nil),
    ("1e9", nil),
  ])
  func parsesMasses(_ text: String, _ masses: [Double]?) {
    #expect(MassList.parse(text) == masses?.map { Grams($0) })
  }
}
