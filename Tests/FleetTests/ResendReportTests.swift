import Messages
import Testing
import Weighing

@testable import Fleet

/// What a collector understands of answers to `command/resend`.
@Suite struct ResendReportTests {
  private func report(_ fields: String) -> ResendReport? {
    ResendReport(Array(#"{"action":"resend","ok":true,"from":1,"to":20,\#(fields)}"#.utf8))
  }

  @Test func theFieldsOfAnAppliance() {
    let missing = [5...7, 12...12]
    #expect(
      report(#""missing":[[5,7],[12,12]],"last":20,"detail":"not in the journal: 1""#)
        == ResendReport(missing: missing, last: 20))
    #expect(report(#""missing":[],"last":20"#) == ResendReport(missing: [], last: 20))
    #expect(report(#""missing":[]"#) == ResendReport(missing: [], last: nil))
  }

  @Test(arguments: [
    #""detail":"not in the journal: 1""#,
    #""sent":20"#, #""missing":[[7,5]]"#, #""missing":[[0,5]]"#, #""missing":[5]"#, #""missing":[[1,2,3]]"#,
  ])
  func whatSaysNothing(_ fields: String) { #expect(report(fields) == nil) }

  @Test func otherAnswers() {
    let text = #"{"action":"resend","ok":true,"missing":[[5,7]],"last":20}"#
    #expect(ResendReport(Array(text.utf8)) != nil)
    for (right, wrong) in [("resend", "tare"), ("true", "false"), ("true", "1")] {
      #expect(ResendReport(Array(text.replacing(right, with: wrong).utf8)) == nil)
    }
  }

  /// A subscription to `result/a+b` is invalid, so a collector with such a user name would never get an answer.
  @Test func aUserNameMakesNoWildcard() {
    #expect(
      ["store", "a/b", "a+b", "#1", "", nil].map(Collector.answerTopic) == ["store", "a/b"]
        + Array(repeating: "collector", count: 4))
  }
}
