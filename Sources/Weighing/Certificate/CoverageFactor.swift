/// Coverage factors for a probability of 95.45 %.
package enum CoverageFactor {
  /// The factor for a number of effective degrees of freedom: 2 if there are enough, otherwise Student's t for the next
  /// lower number in the table (JCGM 100:2008, table G.2; EURAMET cg-18, appendix B).
  package static func value(degreesOfFreedom: Double) -> Double {
    guard degreesOfFreedom < 100 else { return 2 }
    return table.last { Double($0.degrees) <= degreesOfFreedom }?.factor ?? table[0].factor
  }

  private static let table: [(degrees: Int, factor: Double)] = [
    (1, 13.97), (2, 4.53), (3, 3.31), (4, 2.87), (5, 2.65), (6, 2.52), (7, 2.43), (8, 2.37), (9, 2.32), (10, 2.28),
    (11, 2.25), (12, 2.23), (13, 2.21), (14, 2.2), (15, 2.18), (16, 2.17), (17, 2.16), (18, 2.15), (19, 2.14),
    (20, 2.13), (25, 2.11), (30, 2.09), (35, 2.07), (40, 2.06), (45, 2.06), (50, 2.05),
  ]
}
