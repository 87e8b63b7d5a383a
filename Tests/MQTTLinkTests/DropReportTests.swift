import Testing
import Weighing

@testable import MQTTLink

@Suite struct DropReportTests {
  private let start = Instant(nanoseconds: 0)

  /// 100 a second for 4.5 s: reported each second, logged at once and at the end, and nothing is left out.
  @Test func theLastReportIsComplete() {
    var report = DropReport()
    var (events, lines): ([Int], [Int]) = ([], [])
    var now = start
    for number in 1...450 {
      now = start + .seconds(Double(number) / 100)
      if let total = report.report(number, at: now) { events.append(total) }
      if let count = report.log(number, at: now) { lines.append(count) }
    }
    while let due = report.nextDue {
      #expect(due > now)
      now = due
      if let total = report.report(450, at: now) { events.append(total) }
      if let count = report.log(450, at: now) { lines.append(count) }
    }
    #expect(events == [1, 101, 201, 301, 401, 450])
    #expect(lines == [1, 449])
    #expect(now == start + .seconds(10.01))
  }

  @Test func nothingIsReportedWhenNothingIsDropped() {
    var report = DropReport()
    #expect(report.report(0, at: start) == nil)
    #expect(report.log(0, at: start) == nil)
    #expect(report.nextDue == nil)
  }
}
