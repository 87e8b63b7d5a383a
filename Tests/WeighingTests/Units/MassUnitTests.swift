import Testing

@testable import Weighing

/// Displays in other units than grams.
struct MassUnitTests {
  private func reading(_ unit: MassUnit, division: Double, net: Double?, isOverloaded: Bool = false) throws -> Reading {
    let division = try #require(Division(Grams(division)))
    let zero = DisplayedMass(steps: 0, division: division)
    var reading = Reading(
      offlineAt: Instant(nanoseconds: 0), tare: zero, tareEpoch: 0, capacity: Grams(385), unit: unit)
    reading.net = net.map { DisplayedMass(steps: division.steps(nearest: Grams($0)), division: division) }
    if isOverloaded { reading.setOverload() }
    return reading
  }

  @Test(arguments: [
    (MassUnit.gram, 1.0, 73.0, "73 g"), (.gram, 0.5, 72.5, "72.5 g"),
    (.kilogram, 1, 73, "0.073 kg"), (.kilogram, 0.5, 72.5, "0.0725 kg"), (.kilogram, 0.001, 0.001, "0.000001 kg"),
    // 73 g are 2.57499 oz; the step is 0.05 oz, 1.4 g.
    (.ounce, 1, 73, "2.55 oz"), (.ounce, 0.1, 73, "2.575 oz"), (.ounce, 1, -73, "-2.55 oz"), (.ounce, 1, 0, "0.00 oz"),
    (.pound, 1, 73, "0.160 lb"), (.pound, 0.1, 73, "0.1610 lb"),
    // A division of 1 g is exactly 5 ct.
    (.carat, 1, 73, "365 ct"), (.carat, 0.1, 0.3, "1.5 ct"), (.carat, 0.2, 0.4, "2 ct"),
    // 73 g are 1126.6 gn; the step is 20 gn.
    (.grain, 1, 73, "1120 gn"), (.grain, 0.001, 0.5, "7.72 gn"), (.ounce, 1, -0.4, "0.00 oz"),
  ])
  func shows(_ unit: MassUnit, _ division: Double, _ net: Double, _ text: String) throws {
    #expect(try reading(unit, division: division, net: net).printable == text)
  }

  @Test(arguments: [
    (MassUnit.gram, "385+ g"), (.kilogram, "0.385+ kg"), (.ounce, "13.60+ oz"), (.pound, "0.850+ lb"),
    (.carat, "1925+ ct"), (.grain, "5940+ gn"),
  ])
  func showsOverload(_ unit: MassUnit, _ text: String) throws {
    #expect(try reading(unit, division: 1, net: 0, isOverloaded: true).printable == text)
  }

  @Test func showsNoMassWithoutAPad() throws {
    #expect(try reading(.pound, division: 1, net: nil).printable == "-- lb")
  }

  /// The rule for every unit and division: not finer than the division, and at most 2.5 times as coarse.
  @Test(arguments: MassUnit.allCases)
  func theStepFitsTheDivision(_ unit: MassUnit) throws {
    for exponent in -3...2 {
      for digit in [1.0, 2, 5] {
        let power = (0..<abs(exponent)).reduce(1.0) { power, _ in power * 10 }
        let step = exponent < 0 ? digit / power : digit * power
        let display = DisplayUnit(unit, division: try #require(Division(Grams(step))))
        let ratio = display.step * unit.mass.value / step
        #expect((1 - 1e-6...2.5 + 1e-6).contains(ratio), "\(unit) \(step) g: \(display.step)")
        let text = DecimalText.fixed(display.step, decimals: display.decimals)
        #expect(Double(text).map { ($0 - display.step).magnitude < display.step * 1e-9 } == true, "\(text)")
        #expect(DisplayUnit(unit, step: display.step) == display)
      }
    }
  }
}
