import Testing
import Weighing

/// The display's step and the digits on it.
@Suite struct DivisionTests {
  @Test(arguments: [(0.001, 3), (0.005, 3), (0.1, 1), (0.2, 1), (0.5, 1), (1, 0), (2, 0), (5, 0), (10, 0), (1000, 0)])
  func oneTwoOrFive(_ step: Double, _ decimals: Int) {
    #expect(Division(Grams(step))?.decimals == decimals)
  }

  @Test(arguments: [0, -1, 0.3, 3, 25, 1.01, 0.0005, 10_000, .nan, .infinity])
  func nothingElse(_ step: Double) {
    #expect(Division(Grams(step)) == nil)
  }

  @Test(arguments: [
    (1.0, 0.49, 0, 1), (1, 0.5, 1, 1), (1, -0.5, -1, 0), (1, 385, 385, 385), (0.1, 0.3, 3, 3), (0.1, 0.31, 3, 4),
    (5, 384, 77, 77), (5, 386, 77, 78),
  ])
  func massesInSteps(_ step: Double, _ mass: Double, _ nearest: Int, _ atOrPast: Int) throws {
    let division = try #require(Division(Grams(step)))
    #expect(division.steps(nearest: Grams(mass)) == nearest)
    #expect(division.steps(atOrPast: Grams(mass)) == atOrPast)
  }

  @Test func absurdMassesAreBounded() {
    #expect(Division.gram.steps(nearest: Grams(1e300)) == Int(1e15))
    #expect(Division.gram.steps(nearest: Grams(-.infinity)) == Int(-1e15))
    _ = Division.gram.steps(nearest: Grams(.nan))
  }

  @Test(arguments: [
    (73, 1.0, "73"), (-5, 0.1, "-0.5"), (0, 0.1, "0.0"), (-7, 5, "-35"), (1, 0.001, "0.001"), (12345, 0.01, "123.45"),
  ])
  func digits(_ steps: Int, _ step: Double, _ text: String) throws {
    let division = try #require(Division(Grams(step)))
    #expect(DisplayedMass(steps: steps, division: division).description == text)
  }

  @Test(arguments: [(-0.0, 1, "0.0"), (-0.04, 1, "0.0"), (0.05, 1, "0.1"), (1e20, 2, "1e+20"), (-1.005, 0, "-1")])
  func decimals(_ value: Double, _ decimals: Int, _ text: String) {
    #expect(DecimalText.fixed(value, decimals: decimals) == text)
  }
}
