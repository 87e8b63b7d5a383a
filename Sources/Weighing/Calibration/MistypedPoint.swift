/// A calibration point whose mass is inconsistent with the others (`MistypedMass`).
package struct MistypedPoint: Hashable, Sendable {
  /// The point.
  package let point: CalibrationPoint
  /// The mass that the other points predict.
  package let predicted: Grams

  /// Searches points with different counts; `nil` if none is found.
  package init?(among points: [CalibrationPoint]) {
    let nothing = points.first { $0.mass == .zero }?.counts ?? 0
    let loads = points.filter { $0.mass > .zero && $0.counts > nothing }
    let entries = loads.map { MistypedMass.Entry(counts: $0.counts - nothing, mass: $0.mass.value) }
    guard let (index, predicted) = MistypedMass(entries).found() else { return nil }
    (point, self.predicted) = (loads[index], Grams(predicted))
  }
}
