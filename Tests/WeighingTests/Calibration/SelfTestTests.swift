import Testing

@testable import Weighing

/// Repeatability, zero return and creep against their limits.
@Suite struct SelfTestTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var zeros = [0.0, 0]
    var loads = [200.0, 200]
    var creep = [200.0, 200]
    var repeats = true
    var returns = true
    var still = true
  }

  @Test(arguments: [
    Case(testDescription: "perfect"),
    Case(testDescription: "at all limits", zeros: [1, 0.5], loads: [199.5, 200.5], creep: [200, 200.5]),
    Case(testDescription: "not repeatable", loads: [199.4, 200, 200.5], repeats: false),
    Case(testDescription: "zero does not return", zeros: [0, 0.1, 0.6, 0], returns: false),
    Case(testDescription: "creeps up", creep: [200, 200.3, 200.6], still: false),
    Case(testDescription: "creeps down and back", creep: [200, 199.3, 200], still: false),
    Case(testDescription: "nothing known", zeros: [], loads: [], creep: []),
  ])
  func limits(_ given: Case) {
    var test = SelfTest(limits: SelfTest.Limits(division: .gram))
    test.zeros = given.zeros.map { Grams($0) }
    test.loads = given.loads.map { Grams($0) }
    test.creep = given.creep.enumerated().map { .init(after: .seconds(Double($0)), mass: Grams($1)) }
    #expect(test.isRepeatable == given.repeats)
    #expect(test.returnsToZero == given.returns)
    #expect(test.keepsStill == given.still)
    #expect(test.passes == (given.repeats && given.returns && given.still))
  }

  @Test func theDeviationIsThatOfASingleResult() {
    var test = SelfTest(limits: SelfTest.Limits(division: .gram))
    #expect(test.deviation == .zero)
    test.loads = [Grams(199), Grams(200), Grams(201)]
    #expect((test.deviation.value - 1).magnitude < 1e-12)
    #expect(test.repeatability == Grams(2))
  }
}
