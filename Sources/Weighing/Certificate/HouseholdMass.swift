/// Masses for those who own no weights: coins and water. They are nominal, not traceable.
package enum HouseholdMass {
  /// A euro coin.
  package struct Coin: Hashable, Sendable {
    /// As in a list of masses: `2 EUR`, `50 cent`.
    package let name: String
    /// Its nominal mass.
    package let mass: Grams
  }

  /// The euro coins, with the weights of Council Regulation (EU) No 729/2014, annex I.
  package static let coins = [
    Coin(name: "2 EUR", mass: Grams(8.5)), Coin(name: "1 EUR", mass: Grams(7.5)),
    Coin(name: "50 cent", mass: Grams(7.8)), Coin(name: "20 cent", mass: Grams(5.74)),
    Coin(name: "10 cent", mass: Grams(4.1)), Coin(name: "5 cent", mass: Grams(3.92)),
    Coin(name: "2 cent", mass: Grams(3.06)), Coin(name: "1 cent", mass: Grams(2.3)),
  ]

  /// The tolerance of coins as a fraction of their nominal mass. Chosen: 1 %. 2,000 new coins of 1 EUR, with a nominal mass
  /// of 7.5 g, were weighed one by one for Shkedy, Aerts, Callaert, "The Weight of Euro Coins", Journal of Statistics
  /// Education 14(2), 2006; used coins are lighter.
  package static let coinTolerance = 0.01
  /// The tolerance of other masses without any evidence, as a fraction of the nominal mass. Chosen.
  package static let kitchenTolerance = 0.01

  /// The density of air-free water at 101,325 Pa in g/ml, from 0 to 40 degrees Celsius.
  ///
  /// Tanaka, Girard, Davis, Peuto, Bignell, "Recommended table for the density of water between 0 °C and 40 °C based on
  /// recent experimental reports", Metrologia 38, 2001.
  package static func waterDensity(celsius t: Double) -> Double {
    let offset = t - 3.983035
    return 0.999_974_950 * (1 - offset * offset * (t + 301.797) / (522_528.9 * (t + 69.34881)))
  }

  /// The conventional mass of a volume of water: what a scale shows that was adjusted with weights of 8000 kg/m3 in air of
  /// 1.2 kg/m3 (OIML D 28:2004). The buoyancy of water makes it 0.1 % less than the mass.
  package static func water(millilitres: Double, celsius: Double) -> Grams {
    let density = waterDensity(celsius: celsius)
    return Grams(millilitres * density * (1 - 0.0012 / density) / (1 - 0.0012 / 8))
  }
}
