/// Known masses on a pad, in the order in which they were put there, and what is to be made of them.
public struct CalibrationTrial: Hashable, Sendable {
  /// What was observed, in order; a mass that was put on again is there again.
  public var observations: [CalibrationObservation]
  /// Up to where the scale is to weigh.
  public var capacity: Grams
  /// The step that it displays.
  public var division: Division
  /// The curve to lay; `nil` for the best.
  public var shape: CurveShape?

  /// Makes a trial.
  public init(
    observations: [CalibrationObservation], capacity: Grams, division: Division, shape: CurveShape? = nil
  ) {
    self.observations = observations
    self.capacity = capacity
    self.division = division
    self.shape = shape
  }

  /// What came of it.
  public struct Outcome: Hashable, Sendable {
    /// The curve, with its points by rising raw.
    public let choice: CurveChoice
    /// What the curve says at each of its points, less the mass: nothing for curves that go through them.
    public let misses: [Grams]
    /// What the curve through the other points says at each, less the mass; `nil` at both ends and where none can be laid.
    public let leftOut: [Grams?]
    /// Why the masses should be checked although a curve can be laid; `nil` where they fit together.
    public let doubt: CalibrationError?
    /// The heaviest mass, beyond which grams are only a guess, where it is less than nine tenths of the capacity.
    public let guessedBeyond: Grams?
  }

  /// Minimum number of different masses.
  public static let fewest = 3
  /// The heaviest mass is at least this part of the capacity. Chosen: on a resistive pad, whose response bends by half over
  /// its range, the straight line beyond half of it is off by tens of grams.
  static let minimumReach = 0.5
  /// Under this part of it, grams are said to be a guess beyond.
  static let amplyReached = 0.9

  /// Lays the curve.
  ///
  /// - Throws: `CalibrationError`, the reason that explains most first.
  public func outcome() throws(CalibrationError) -> Outcome {
    try refuseInvalid()
    let points = merged
    guard points.count >= Self.fewest else { throw .tooFew(given: points.count) }
    try refuseUnsteady(points)
    try refuseIndistinct(points)
    try refuseMistyped(points)
    for (light, heavy) in zip(points, points.dropFirst()) where heavy.counts <= light.counts {
      throw .notRising(light: light, heavy: heavy)
    }
    let heaviest = points[points.count - 1].mass
    let needed = Grams(capacity.value * Self.minimumReach)
    guard heaviest >= needed else { throw .tooNarrow(heaviest: heaviest, needed: needed, capacity: capacity) }
    let choice: CurveChoice
    do throws(UnusableCalibrationError) {
      // A tenth of a division: a smaller difference is not visible.
      choice = try CurveChoice(points: points, asked: shape, tolerance: Grams(division.step.value / 10))
    } catch {
      throw .unusable(error)
    }
    let curve = choice.curve
    let inner = CrossValidation(shape: curve.shape, points: curve.points).misses.map { $0.map { Grams($0) } }
    return Outcome(
      choice: choice, misses: curve.points.map { Grams(curve.mass(atCounts: $0.counts)) - $0.mass },
      leftOut: [nil] + inner + [nil], doubt: doubt(points),
      guessedBeyond: heaviest.value < capacity.value * Self.amplyReached ? heaviest : nil)
  }

  /// What is wrong with an observation that was just made, as far as it can be told before all are; `nil` for nothing.
  ///
  /// - Parameters:
  ///   - observation: The newest; `observations` has those before it.
  ///   - isBare: Whether nothing touches the pad when it is empty; a plate may weigh up to a fifth of the axis.
  ///   - fullScale: The counts at the end of the axis.
  public func objection(
    to observation: CalibrationObservation, isBare: Bool, fullScale: RawForce
  ) -> CalibrationError? {
    let rest = observation.rest
    let earlier = observations.filter { $0.mass == observation.mass }
    if observation.mass == .zero, earlier.isEmpty {
      let maximum = isBare ? max(Double(fullScale.counts) / 100, 4 * rest.spread) : Double(fullScale.counts) / 5
      return rest.counts > maximum ? .notEmpty(counts: rest.counts, fullScale: fullScale.counts) : nil
    }
    var trial = self
    trial.observations.append(observation)
    if !earlier.isEmpty {
      do throws(CalibrationError) { try trial.refuseUnsteady(trial.merged) } catch { return error }
      return nil
    }
    let points = trial.merged
    for (light, heavy) in zip(points, points.dropFirst()) where heavy.counts <= light.counts {
      return .notRising(light: light, heavy: heavy)
    }
    return nil
  }

  /// Masses that no smooth response explains; see `SmoothResponse`.
  private func doubt(_ points: [CalibrationPoint]) -> CalibrationError? {
    let nothing = points.first { $0.mass == .zero }?.counts ?? 0
    let entries = points.filter { $0.mass > .zero && $0.counts > nothing }.map { point in
      let spreads = observations.filter { $0.mass == point.mass }.map(\.rest.spread)
      return SmoothResponse.Entry(
        counts: point.counts - nothing, mass: point.mass.value, spread: spreads.max() ?? 0)
    }
    let response = SmoothResponse(entries)
    guard case let misfit = response.misfit, misfit > 1, let suspect = response.suspect else { return nil }
    return .scattered(mass: Grams(suspect.mass), predicted: Grams(suspect.predicted), misfit: misfit)
  }

  /// One point a mass, by rising mass; what was observed more than once is averaged.
  private var merged: [CalibrationPoint] {
    Dictionary(grouping: observations, by: \.mass).map { mass, group in
      CalibrationPoint(counts: group.reduce(0) { $0 + $1.rest.counts } / Double(group.count), mass: mass)
    }.sorted { $0.mass < $1.mass }
  }

  private func refuseInvalid() throws(CalibrationError) {
    for observation in observations {
      let (mass, counts) = (observation.mass, observation.rest.counts)
      if observation.rest.isAtMaximum { throw .pastTheAxis(mass: mass) }
      guard mass.value.isFinite, (0...100_000).contains(mass.value), counts.isFinite,
        (0...Double(Int32.max)).contains(counts)
      else { throw .invalid(mass: mass, counts: counts) }
    }
  }

  /// Grams of one count, all over the range.
  private func gramsPerCount(_ points: [CalibrationPoint]) -> Double {
    let counts = points.map(\.counts)
    guard let lowest = counts.min(), let highest = counts.max(), highest > lowest else { return 0 }
    return (points[points.count - 1].mass - points[0].mass).value / (highest - lowest)
  }

  /// What moves by more than a division while it is looked at, or between the first look and the last, does not rest, unless
  /// noise alone would have it so: the slope of a line through n samples of deviation s over a time T has a standard
  /// uncertainty of sqrt(12 / n) s / T, and an average one of s / sqrt(n).
  private func refuseUnsteady(_ points: [CalibrationPoint]) throws(CalibrationError) {
    let scale = gramsPerCount(points)
    let limit = division.step.value
    for observation in observations {
      let rest = observation.rest
      let path = rest.drift.magnitude * rest.duration.seconds
      let moved = path * scale
      if moved > limit && path > 4 * 12.squareRoot() * rest.deviation {
        throw .unstable(mass: observation.mass, moved: Grams(moved))
      }
    }
    for point in points {
      let looks = observations.filter { $0.mass == point.mass }
      guard let first = looks.first, let last = looks.last, looks.count > 1 else { continue }
      let apart = (last.rest.counts - first.rest.counts).magnitude
      let noise = (first.rest.deviation * first.rest.deviation + last.rest.deviation * last.rest.deviation).squareRoot()
      guard apart * scale > limit, apart > 4 * noise else { continue }
      throw .drifted(
        mass: point.mass, first: first.rest.counts, last: last.rest.counts, by: Grams(apart * scale))
    }
  }

  /// Two values of the axis that are less than one count apart are one.
  private func refuseIndistinct(_ points: [CalibrationPoint]) throws(CalibrationError) {
    for (index, light) in points.enumerated() {
      for heavy in points[(index + 1)...] where (heavy.counts - light.counts).magnitude < Self.oneValue {
        throw .indistinct(light.mass, heavy.mass, counts: light.counts)
      }
    }
  }

  /// Averages of the same load differ by less than this; half a count is the least step that a converter could tell.
  private static let oneValue = 0.5

  private func refuseMistyped(_ points: [CalibrationPoint]) throws(CalibrationError) {
    let nothing = points.first { $0.mass == .zero }?.counts ?? 0
    let loads = points.filter { $0.mass > .zero && $0.counts > nothing }
    let entries = loads.map { MistypedMass.Entry(counts: $0.counts - nothing, mass: $0.mass.value) }
    guard let (index, foretold) = MistypedMass(entries).found() else { return }
    throw .mistyped(mass: loads[index].mass, counts: loads[index].counts, foretold: Grams(foretold))
  }
}
