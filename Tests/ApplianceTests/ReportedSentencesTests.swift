import Languages
import Messages
import Testing
import Weighing

/// The clients recognise the English sentences of the service.
@Suite struct ReportedSentencesTests {
  private static let rest = LoadRest(counts: 123.4, spread: 0.5, drift: -1.5)

  @Test(
    arguments: [.closed, .abandoned, .padLost("unplugged"), .reloaded] as [CalibrationSession.End])
  func theEndOfACalibrationIsTranslated(_ end: CalibrationSession.End) {
    let german = Texts.of(.german).reported(end.detail)
    #expect(german != end.detail && !german.contains("unplugged"))
  }

  @Test(
    arguments: [
      .gap, .stopped, .failed(.unchanged), .failed(.unstable), .failed(.aboveRange), .answer(.aboveRange),
      .answer(.kept(rest)), .answer(.unchanged(rest)),
      .answer(.implausible(rest, .indistinct(Grams(20), Grams(50), counts: 3))),
    ] as [CalibrationSession.Note])
  func aNoteOfACalibrationIsTranslated(_ note: CalibrationSession.Note) {
    let german = Texts.of(.german).reported(note.detail)
    #expect(german != note.detail && !german.contains("counts"))
  }
}
