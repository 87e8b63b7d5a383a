import Testing
import Weighing

/// The medians of learned stops, for people.
@Suite struct LearnedStopSummaryTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var samples: [(Double, Double)]
    var (flow, arrived): (Double, Double)
    var deadTime: Double?
  }

  @Test(arguments: [
    Case(testDescription: "none", samples: [], flow: 0, arrived: 0, deadTime: nil),
    Case(testDescription: "one", samples: [(2, 0.5)], flow: 2, arrived: 0.5, deadTime: 0.25),
    Case(testDescription: "two", samples: [(2, 1), (4, 4)], flow: 3, arrived: 2.5, deadTime: 0.75),
    Case(
      testDescription: "an outlier", samples: [(2, 0.5), (2, 40), (2, 0.75)], flow: 2, arrived: 0.75,
      deadTime: 0.375),
    Case(testDescription: "less than nothing", samples: [(2, -0.5)], flow: 2, arrived: -0.5, deadTime: -0.25),
  ])
  func theMedianCounts(_ test: Case) {
    let stop = LearnedStop(
      label: "a", samples: test.samples.map { .init(flow: $0.0, arrived: Grams($0.1)) })
    #expect(stop.flow == test.flow && stop.arrived == Grams(test.arrived) && stop.deadTime == test.deadTime)
  }
}
