/// Finds the one mass that does not belong to the others.
///
/// A pad's response is smooth: the grams of one count, and the counts of one gram, change little by little over the
/// range. Each mass is left out in turn, and a line or a parabola of either laid through the rest. Where the rest then fits
/// well, several times better than without any other, and the mass left out is far off, it is the one.
///
/// No mass is reported if a smooth response explains all of them. If the counts do not increase with the masses, a mass is
/// reported if they do without it, and without no other mass.
///
/// Tried on lines, powers and dividers (`MistypedMassTests`, 1,440 sets): no sound set is accused; of sets with one mass wrong by a
/// factor of 10 or a tenth at least 85 % are told, of 2 or a half 80 %, of 1.2 or 0.8 60 %.
struct MistypedMass {
  /// A mass other than nothing, with its counts over those of nothing.
  struct Entry {
    var counts: Double
    var mass: Double
  }

  /// One way to look at the response, of a degree.
  private struct Model {
    var takesCountsPerGram: Bool
    var degree: Int
  }

  private let entries: [Entry]

  /// Looks at masses with different counts, all of them over that of nothing.
  init(_ entries: [Entry]) {
    self.entries = entries
  }

  /// The index of the mass and what it would be by the others; `nil` where none can be told.
  func found() -> (index: Int, foretold: Double)? {
    oddOne() ?? disorderly()
  }

  /// The misfit that is left without the odd one, as a share of the mass.
  private static let maximumMisfit = 0.05
  /// How many times worse the rest fits without any other.
  private static let advantage = 3.0
  /// How far off the odd one is at least, as a share and in misfits.
  private static let minimumOffset = (share: 0.08, misfits: 5.0)
  /// A misfit below this counts as none: noise and the curvature of a real pad.
  private static let floor = 0.004
  /// All masses together fit so well that there is nothing to look for.
  private static let allWell = 0.02

  private func oddOne() -> (index: Int, foretold: Double)? {
    let all = Array(entries.indices)
    // Of three masses, any one can be the odd one.
    guard all.count >= 4 else { return nil }
    let models = [false, true].flatMap { inverse in
      (0...2).map { Model(takesCountsPerGram: inverse, degree: $0) }
    }
    guard !models.contains(where: { misfit($0, to: all, foretelling: 0).misfit < Self.allWell }) else { return nil }
    var best: (index: Int, foretold: Double, misfit: Double)?
    for model in models {
      let results = all.map { index in
        misfit(model, to: all.filter { $0 != index }, foretelling: index)
      }
      let order = all.sorted { results[$0].misfit < results[$1].misfit }
      let (odd, next) = (results[order[0]], results[order[1]])
      let left = max(odd.misfit, Self.floor)
      let offset = (entries[order[0]].mass / odd.foretold - 1).magnitude
      guard odd.misfit < Self.maximumMisfit, next.misfit > Self.advantage * left,
        offset > max(Self.minimumOffset.share, Self.minimumOffset.misfits * left)
      else { continue }
      if let best, best.misfit <= left { continue }
      best = (order[0], odd.foretold, left)
    }
    return best.map { ($0.index, $0.foretold) }
  }

  /// How well a model fits some of the masses, as a share of them, and what it says of one; infinite where it has no
  /// freedom left to be wrong, or says that something weighs nothing.
  private func misfit(
    _ model: Model, to chosen: [Int], foretelling index: Int
  ) -> (misfit: Double, foretold: Double) {
    let sorted = chosen.map { entries[$0] }.sorted { $0.counts < $1.counts }
    let freedom = sorted.count - model.degree - 1
    let y = sorted.map { model.takesCountsPerGram ? $0.counts / $0.mass : $0.mass / $0.counts }
    guard freedom > 0, let fit = PolynomialFit.fit(x: sorted.map(\.counts), y: y, degree: model.degree) else {
      return (.infinity, .infinity)
    }
    func mass(at counts: Double) -> Double? {
      let value = fit.value(at: counts - fit.start)
      guard value > 0 else { return nil }
      return model.takesCountsPerGram ? counts / value : counts * value
    }
    var sum = 0.0
    for entry in sorted {
      guard let foretold = mass(at: entry.counts) else { return (.infinity, .infinity) }
      let miss = entry.mass / foretold - 1
      sum += miss * miss
    }
    guard let foretold = mass(at: entries[index].counts) else { return (.infinity, .infinity) }
    return ((sum / Double(freedom)).squareRoot(), foretold)
  }

  private func disorderly() -> (index: Int, foretold: Double)? {
    guard !rises(entries) else { return nil }
    let suspects = entries.indices.filter { index in
      var others = entries
      others.remove(at: index)
      return rises(others)
    }
    guard suspects.count == 1, let index = suspects.first else { return nil }
    let others = entries.indices.filter { $0 != index }
    let foretold = misfit(Model(takesCountsPerGram: false, degree: 0), to: others, foretelling: index).foretold
    return foretold.isFinite ? (index, foretold) : nil
  }

  private func rises(_ entries: [Entry]) -> Bool {
    let sorted = entries.sorted { $0.counts < $1.counts }
    return zip(sorted, sorted.dropFirst()).allSatisfy { $0.mass < $1.mass }
  }
}
