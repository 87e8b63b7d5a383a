/// An accuracy class of weights (OIML R 111-1:2004).
package enum WeightClass: String, Hashable, Sendable, CaseIterable {
  case e1 = "E1"
  case e2 = "E2"
  case f1 = "F1"
  case f2 = "F2"
  case m1 = "M1"
  case m2 = "M2"
  case m3 = "M3"

  /// The maximum permissible error of a weight; `nil` for a nominal value that the class does not have.
  ///
  /// OIML R 111-1:2004, table 1, from 1 mg to 50 kg.
  package func maximumPermissibleError(of nominal: Grams) -> Grams? {
    let row = Self.table.first { (nominal.value / $0.nominal - 1).magnitude < 1e-6 }
    guard let row, let column = Self.allCases.firstIndex(of: self), column < row.milligrams.count else { return nil }
    return Grams(row.milligrams[column] / 1000)
  }

  /// Nominal values in grams, and errors in milligrams from class E1 to the last class that the value has.
  private static let table: [(nominal: Double, milligrams: [Double])] = [
    (50_000, [25, 80, 250, 800, 2500, 8000, 25_000]),
    (20_000, [10, 30, 100, 300, 1000, 3000, 10_000]),
    (10_000, [5, 16, 50, 160, 500, 1600, 5000]),
    (5000, [2.5, 8, 25, 80, 250, 800, 2500]),
    (2000, [1, 3, 10, 30, 100, 300, 1000]),
    (1000, [0.5, 1.6, 5, 16, 50, 160, 500]),
    (500, [0.25, 0.8, 2.5, 8, 25, 80, 250]),
    (200, [0.1, 0.3, 1, 3, 10, 30, 100]),
    (100, [0.05, 0.16, 0.5, 1.6, 5, 16, 50]),
    (50, [0.03, 0.1, 0.3, 1, 3, 10, 30]),
    (20, [0.025, 0.08, 0.25, 0.8, 2.5, 8, 25]),
    (10, [0.02, 0.06, 0.2, 0.6, 2, 6, 20]),
    (5, [0.016, 0.05, 0.16, 0.5, 1.6, 5, 16]),
    (2, [0.012, 0.04, 0.12, 0.4, 1.2, 4, 12]),
    (1, [0.01, 0.03, 0.1, 0.3, 1, 3, 10]),
    (0.5, [0.008, 0.025, 0.08, 0.25, 0.8, 2.5]),
    (0.2, [0.006, 0.02, 0.06, 0.2, 0.6, 2]),
    (0.1, [0.005, 0.016, 0.05, 0.16, 0.5, 1.6]),
    (0.05, [0.004, 0.012, 0.04, 0.12, 0.4]),
    (0.02, [0.003, 0.01, 0.03, 0.1, 0.3]),
    (0.01, [0.003, 0.008, 0.025, 0.08, 0.25]),
    (0.005, [0.003, 0.006, 0.02, 0.06, 0.2]),
    (0.002, [0.003, 0.006, 0.02, 0.06, 0.2]),
    (0.001, [0.003, 0.006, 0.02, 0.06, 0.2]),
  ]
}
