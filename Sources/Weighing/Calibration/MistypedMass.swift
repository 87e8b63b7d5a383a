/// Finds a single mass that is inconsistent with the others.
///
/// The response of a pad is smooth: the grams per count, and the counts per gram, change gradually over the range. Each
/// mass is left out in turn, and a line or a parabola is fitted to the rest. If the rest fits well, several times
/// better than without any other mass, and the mass left out is far from the fit, it is reported.
///
/// No mass is reported if some smooth response, or a power law, explains all of them. If the counts do not rise with the masses, the
/// only mass whose removal corrects this is reported.
///
/// Tested with lines, powers and dividers (`MistypedMassTests`, 1,440 sets): no false reports. A mass that is wrong by
/// a factor of 10 or a tenth is found in at least 85 % of the sets, of 2 or a half in 80 %, of 1.2 or 0.8 in 60 %.
struct MistypedMass {
  /// A mass other than zero, with its counts above those of the empty pad.
  struct Entry {
    var counts: Double
    var mass: Double
  }

  /// A model of the response, with a degree.
  private struct Model {
    var takesCountsPerGram: Bool
    var degree: Int
  }

  private let entries: [Entry]

  /// Makes a search in masses with different counts, all of them above that of the empty pad.
  init(_ entries: [Entry]) { self.entries = entries }

  /// The index of the mass and the mass that the others predict; `nil` if none is found.
  func found() -> (index: Int, predicted: Double)? { oddOne() ?? disorderly() }

  /// The largest misfit of the rest, as a fraction of the mass.
  private static let maximumMisfit = 0.05
  /// How many times worse the rest fits if any other mass is left out.
  private static let advantage = 3.0
  /// The least distance of the reported mass from the fit, as a fraction and in misfits.
  private static let minimumOffset = (share: 0.08, misfits: 5.0)
  /// A smaller misfit, as a fraction of the mass, does not count: noise and the curvature of a real pad.
  private static let floor = 0.004
  /// The misfit of all masses, as a fraction of them, below which no mass is searched for.
  private static let allWell = 0.02

  /// The misfit of a power law to all masses, as a fraction of them.
  private var powerLawMisfit: Double {
    let sorted = entries.sorted { $0.counts < $1.counts }
    let (x, y) = (sorted.map { naturalLogarithm($0.counts) }, sorted.map { naturalLogarithm($0.mass) })
    guard let line = PolynomialFit.fit(x: x, y: y, degree: 1) else { return .infinity }
    let squares = zip(x, y).reduce(0) { sum, point in
      let miss = point.1 - line.value(at: point.0 - line.start)
      return sum + miss * miss
    }
    return (squares / Double(max(entries.count - 2, 1))).squareRoot()
  }

  private func oddOne() -> (index: Int, predicted: Double)? {
    let all = Array(entries.indices)
    // Of three masses, any one can be wrong.
    guard all.count >= 4 else { return nil }
    let models = [false, true].flatMap { inverse in
      (0...2).map { Model(takesCountsPerGram: inverse, degree: $0) }
    }
    guard !models.contains(where: { misfit($0, to: all, predicting: 0).misfit < Self.allWell }) else { return nil }
    // One mass of four or more that is wrong by 18 % exceeds it.
    guard powerLawMisfit > CalibrationTrial.resistorRepeatability else { return nil }
    var best: (index: Int, predicted: Double, misfit: Double)?
    for model in models {
      let results = all.map { index in
        misfit(model, to: all.filter { $0 != index }, predicting: index)
      }
      let order = all.sorted { results[$0].misfit < results[$1].misfit }
      let (odd, next) = (results[order[0]], results[order[1]])
      let left = max(odd.misfit, Self.floor)
      let offset = (entries[order[0]].mass / odd.predicted - 1).magnitude
      guard odd.misfit < Self.maximumMisfit, next.misfit > Self.advantage * left,
        offset > max(Self.minimumOffset.share, Self.minimumOffset.misfits * left)
      else { continue }
      if let best, best.misfit <= left { continue }
      best = (order[0], odd.predicted, left)
    }
    return best.map { ($0.index, $0.predicted) }
  }

  /// The misfit of a model to some of the masses, as a fraction of them, and the mass that it predicts for one;
  /// infinite if the model has no degree of freedom left, or predicts no mass for a load.
  private func misfit(
    _ model: Model, to chosen: [Int], predicting index: Int
  ) -> (misfit: Double, predicted: Double) {
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
      guard let predicted = mass(at: entry.counts) else { return (.infinity, .infinity) }
      let miss = entry.mass / predicted - 1
      sum += miss * miss
    }
    guard let predicted = mass(at: entries[index].counts) else { return (.infinity, .infinity) }
    return ((sum / Double(freedom)).squareRoot(), predicted)
  }

  private func disorderly() -> (index: Int, predicted: Double)? {
    guard !rises(entries) else { return nil }
    let suspects = entries.indices.filter { index in
      var others = entries
      others.remove(at: index)
      return rises(others)
    }
    guard suspects.count == 1, let index = suspects.first else { return nil }
    let others = entries.indices.filter { $0 != index }
    let predicted = misfit(Model(takesCountsPerGram: false, degree: 0), to: others, predicting: index).predicted
    return predicted.isFinite ? (index, predicted) : nil
  }

  private func rises(_ entries: [Entry]) -> Bool {
    let sorted = entries.sorted { $0.counts < $1.counts }
    return zip(sorted, sorted.dropFirst()).allSatisfy { $0.mass < $1.mass }
  }
}
