import Testing
import Weighing

@testable import Client

/// The question of `void`, and the weighing that is voided after it.
@Suite struct VoidQuestionTests {
  private static let text = "018f0000-0000-7000-8000-000000000001"
  private static let id = WeighingID(text).map(WeighingReference.id) ?? .unknown
  private static let other = WeighingReference.id(WeighingID(time: Instant(nanoseconds: 0), randomness: (1, 2)))
  private static let last = #"{"id":"\#(text)","sequence":7,"net_g":73.5,"label":"rye"}"#

  @Test(
    arguments: [
      (.last, last, id, "Void weighing #7 (73.5 g, rye)?"), (id, last, id, "Void weighing #7 (73.5 g, rye)?"),
      (.sequence(7), last, id, "Void weighing #7 (73.5 g, rye)?"),
      (.sequence(6), last, .sequence(6), "Void weighing #6?"),
      (other, last, other, "Void weighing 00000000-0000-7001-8000-000000000002?"),
      (.last, nil, .last, "Void the last weighing?"), (.last, "", .last, "Void the last weighing?"),
      (.last, #"{"id":"\#(text)","sequence":7,"net_g":73.5,"label":null}"#, id, "Void weighing #7 (73.5 g)?"),
      (.last, #"{"id":"7","sequence":7}"#, .last, "Void the last weighing?"),
    ] as [(WeighingReference, String?, WeighingReference, String)])
  func theQuestionNamesWhatIsVoided(
    _ named: WeighingReference, _ last: String?, _ voided: WeighingReference, _ text: String
  ) {
    let question = VoidQuestion(named, last: last.map { Array($0.utf8) }, display: DisplayUnit(.gram, division: .gram))
    #expect(question.reference == voided && question.text.description == text)
  }
}
