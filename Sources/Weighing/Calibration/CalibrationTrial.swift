/// Makes a calibration from measurements of known masses, and checks them.
public struct CalibrationTrial: Hashable, Sendable {
  /// The observations in order; a mass that was measured again appears again.
  public var observations: [CalibrationObservation]
  /// The capacity of the scale.
  public var capacity: Grams
  /// The division of the scale.
  public var division: Division
  /// The shape of the curve; `nil` to select the best one.
  public var shape: CurveShape?

  /// Makes a trial.
  public init(
    observations: [CalibrationObservation], capacity: Grams, division: Division, shape: CurveShape? = nil
  ) {
    (self.observations, self.capacity, self.division, self.shape) = (observations, capacity, division, shape)
  }

  /// The result of a trial.
  public struct Outcome: Hashable, Sendable {
    /// The curve, with its points sorted by raw value.
    public let choice: CurveChoice
    /// The mass of the curve at each of its points, less the true mass: zero for a curve through the points.
    public let misses: [Grams]
    /// The mass predicted by the curve through the other points, less the true mass; `nil` at both ends and if there is
    /// no curve.
    public let leftOut: [Grams?]
    /// Why the masses should be checked although there is a curve; `nil` if they are consistent.
    public let doubt: CalibrationError?
    /// The heaviest mass, beyond which the curve is an extrapolation, if it is less than nine tenths of the capacity.
    public let guessedBeyond: Grams?
  }

  /// The minimum number of different masses, with 0 g.
  public static let fewest = 3
  /// The least ratio of the heaviest mass to the capacity. Chosen: on a resistive pad, whose slope changes by half over
  /// its range, the straight line beyond half of it is wrong by tens of grams.
  static let minimumReach = 0.5
  /// Below this ratio, the result reports the extrapolation.
  static let amplyReached = 0.9

  /// Fits the curve.
  ///
  /// - Throws: `CalibrationError`; the most informative reason takes precedence.
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
      // A tenth of a division: less is not visible.
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

  /// Checks a new observation before all are made; `nil` if it has no error.
  ///
  /// - Parameters:
  ///   - observation: The new observation; `observations` contains the earlier ones.
  ///   - isBare: Whether nothing touches the pad when it is empty; a plate may take up to a fifth of the axis.
  ///   - fullScale: The counts at the end of the axis; `nil` if it does not limit those of the empty pad: a converter
  ///     reads any offset.
  public func objection(
    to observation: CalibrationObservation, isBare: Bool, fullScale: RawForce?
  ) -> CalibrationError? {
    let rest = observation.rest
    let earlier = observations.filter { $0.mass == observation.mass }
    if observation.mass == .zero, earlier.isEmpty {
      guard let fullScale else { return nil }
      return rest.counts > Self.mostWhenEmpty(rest, isBare: isBare, fullScale: fullScale)
        ? .notEmpty(counts: rest.counts, fullScale: fullScale.counts) : nil
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

  /// The largest counts of an empty pad.
  static func mostWhenEmpty(_ rest: LoadRest, isBare: Bool, fullScale: RawForce) -> Double {
    isBare ? max(Double(fullScale.counts) / 100, 4 * rest.spread) : Double(fullScale.counts) / 5
  }

  /// The expected misfit of a force-sensing resistor, as a fraction of the mass: 2 % of repeatability of a single part
  /// (Interlink Electronics, "FSR 400 Series Data Sheet", device characteristics) and 2 % of hysteresis, which masses
  /// put on and taken off in any order show.
  static let resistorRepeatability = 0.03

  private func doubt(_ points: [CalibrationPoint]) -> CalibrationError? {
    Self.doubt(about: points, shape: shape) { mass in
      observations.filter { $0.mass == mass }.map(\.rest.spread).max() ?? 0
    }
  }

  /// Checks whether a smooth response explains the masses of points; see `SmoothResponse`. A user who asks for a power law has
  /// a force-sensing resistor.
  ///
  /// - Parameter spread: One standard deviation of a single sample under a mass, in counts; 0 if it is not known.
  package static func doubt(
    about points: [CalibrationPoint], shape: CurveShape?, spread: (Grams) -> Double = { _ in 0 }
  ) -> CalibrationError? {
    let nothing = points.first { $0.mass == .zero }?.counts ?? 0
    let entries = points.filter { $0.mass > .zero && $0.counts > nothing }.map { point in
      SmoothResponse.Entry(counts: point.counts - nothing, mass: point.mass.value, spread: spread(point.mass))
    }
    let response =
      shape == .power ? SmoothResponse(entries, repeatability: Self.resistorRepeatability) : SmoothResponse(entries)
    guard case let misfit = response.misfit, misfit > 1, let suspect = response.suspect else { return nil }
    return .scattered(mass: Grams(suspect.mass), predicted: Grams(suspect.predicted), misfit: misfit)
  }

  /// One point per mass, sorted by mass; repeated observations are averaged.
  private var merged: [CalibrationPoint] {
    Dictionary(grouping: observations, by: \.mass).map { mass, group in
      CalibrationPoint(counts: group.reduce(0) { $0 + $1.rest.counts } / Double(group.count), mass: mass)
    }.sorted { $0.mass < $1.mass }
  }

  private func refuseInvalid() throws(CalibrationError) {
    for observation in observations {
      let (mass, counts) = (observation.mass, observation.rest.counts)
      if observation.rest.isAtMaximum { throw .pastTheAxis(mass: mass) }
      guard mass.value.isFinite, (0...Grams.maximum.value).contains(mass.value), counts.isFinite,
        (0...Double(Int32.max)).contains(counts)
      else { throw .invalid(mass: mass, counts: counts) }
    }
  }

  /// The average grams per count over the range.
  private func gramsPerCount(_ points: [CalibrationPoint]) -> Double {
    let counts = points.map(\.counts)
    guard let lowest = counts.min(), let highest = counts.max(), highest > lowest else { return 0 }
    return (points[points.count - 1].mass - points[0].mass).value / (highest - lowest)
  }

  /// Checks that no value moves by more than a division during a measurement, or between the first and the last one,
  /// unless noise alone explains it: the slope of a line through n samples of deviation s over a time T has a standard
  /// uncertainty of sqrt(12 / n) s / T, and an average has one of s / sqrt(n).
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

  /// Two values of the axis that are less than half a count apart are the same.
  private func refuseIndistinct(_ points: [CalibrationPoint]) throws(CalibrationError) {
    for (index, light) in points.enumerated() {
      for heavy in points[(index + 1)...] where (heavy.counts - light.counts).magnitude < Self.oneValue {
        throw .indistinct(light.mass, heavy.mass, counts: light.counts)
      }
    }
  }

  /// Averages of the same load differ by fewer counts than this; half a count is the resolution of a converter.
  private static let oneValue = 0.5

  private func refuseMistyped(_ points: [CalibrationPoint]) throws(CalibrationError) {
    guard let found = MistypedPoint(among: points) else { return }
    throw .mistyped(mass: found.point.mass, counts: found.point.counts, predicted: found.predicted)
  }
}
