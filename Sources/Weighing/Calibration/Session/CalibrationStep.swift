/// One step of a calibration: a load to measure, and the instruction for the user.
package enum CalibrationStep: Hashable, Sendable {
  /// The empty pad, at the start or at the end.
  case empty(isLast: Bool)
  case mass(Grams)
  /// The first mass a second time.
  case again(Grams)

  /// The steps for some masses: the empty pad, the masses, the empty pad, and the first mass again.
  package static func all(for masses: [Grams]) -> [CalibrationStep] {
    [.empty(isLast: false)] + masses.map { .mass($0) } + [.empty(isLast: true)] + masses.prefix(1).map { .again($0) }
  }

  /// The load.
  package var mass: Grams {
    get {
      switch self {
      case .empty: .zero
      case .mass(let mass), .again(let mass): mass
      }
    }
    set {
      switch self {
      case .empty: break
      case .mass: self = .mass(newValue)
      case .again: self = .again(newValue)
      }
    }
  }
}
