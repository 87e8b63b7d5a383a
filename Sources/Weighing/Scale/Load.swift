/// The load on the pad as measured by the filter, in grams; plate and tare are not subtracted.
struct Load: Sendable {
  var counts: Double
  var mass: Grams
  /// One standard uncertainty of the mass from noise.
  var deviation: Double
  /// In grams per second.
  var slope: Double
  /// One standard uncertainty of the slope.
  var slopeDeviation: Double
  var gramsPerCount: Double
  /// The noise of the samples, in counts.
  var noise: SampleNoise
  /// The same as it is known from loads at rest, for the uncertainty of their means.
  var noiseAtRest: SampleNoise
  /// What the load has wandered lately within the time of its mean, as a variance in counts.
  var wander: Double
  /// The number of samples whose mean is as certain as the load.
  var samples: Double

  /// The noise of a single sample, one standard deviation in counts.
  var sampleDeviation: Double { noise.deviation }

  /// Whether the load certainly moves faster than a rate in grams per second.
  func movesSteadily(over rate: Double) -> Bool { slope.magnitude - 2 * slopeDeviation > rate }

  /// One standard uncertainty of a mean of samples at rest, from noise, in grams.
  @inline(__always)
  func deviation(ofMeanOf samples: Double) -> Double {
    gramsPerCount * (noiseAtRest.variance(inMeanOf: samples) / samples).squareRoot()
  }

  /// One standard uncertainty of a settled gross: noise of the average and of zero, the wander of the load, the step of the axis and of the
  /// display (a rectangle of width w has w / sqrt(12)), and the calibration, added as squares (JCGM 100:2008, 5.1.2 and
  /// F.2.2.1).
  func uncertainty(of gross: Grams, zeroDeviation: Double, division: Division, calibration: Calibration) -> Grams {
    // A noisy axis averages to fractions of a count; a quiet one stays within its step.
    let step = sampleDeviation < 0.5 ? gramsPerCount : 0
    let division = division.step.value
    let calibration = calibration.uncertainty(at: gross).value
    let average = deviation(ofMeanOf: samples)
    let noise = average * average + zeroDeviation * zeroDeviation + wander * gramsPerCount * gramsPerCount
    let variance = noise + (step * step + division * division) / 12 + calibration * calibration
    return Grams(variance.squareRoot())
  }
}
