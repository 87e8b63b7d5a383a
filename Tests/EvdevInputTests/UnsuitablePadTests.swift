import Languages
import Testing
import Weighing

@testable import EvdevInput

/// The core says why a pad cannot weigh, too; in English both say the same.
@Suite struct UnsuitablePadTests {
  @Test(
    arguments: [
      .noPressureAxis, .noSuchAxis(.pressure, among: []), .noSuchAxis(.pressure, among: [.multitouchPressure, .slot]),
      .emptyRange(.pressure, AxisRange(minimum: 3, maximum: 3)), .noSlots(AxisRange(minimum: 1, maximum: 4)), .pen,
      .fingerWidth,
    ] as [UnsuitablePadError])
  func theSentenceIsThatOfTheCore(_ error: UnsuitablePadError) {
    #expect(error.sentence.description == error.description)
    #expect(Texts.of(.japanese)(error.sentence) != error.description)
  }
}
