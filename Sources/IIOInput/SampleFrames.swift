import Languages
import Weighing

/// Makes the frames of a pad from the samples of a converter.
final class SampleFrames {
  /// The path of the converter.
  let path: String
  /// How long the converter may be silent: the larger of 3 s and 20 periods.
  ///
  /// The driver of the HX711 waits up to a second for a conversion and resets the converter before it waits again.
  let patience: Interval

  private let range: CountRange
  private let isInverted: Bool
  private let statesRate: Bool
  private var frame: Frame
  /// The samples since the first one, until the rate is known.
  private var rateCount = 0
  private var rateStart: Instant?
  private var rateEnd = Instant(nanoseconds: 0)
  private var isRateChecked = false

  /// The time and number of samples after which the rate is known well enough.
  private static let rateSamples = 50
  /// The rate of a converter without a quartz differs by this fraction (HX711 data sheet: the internal oscillator).
  /// The driver of the HX711 misses conversions at 80 samples/s.
  private static let rateTolerance = 0.6

  init(_ converter: Converter, expecting rate: SampleRate?) {
    path = converter.entry.path
    range = converter.range
    isInverted = converter.isInverted
    statesRate = converter.rate != nil
    patience = max(.seconds(3), (rate?.period ?? .zero) * 20)
    let contact = Contact(serial: 1, position: nil, origin: nil, raw: .zero, isAtMaximum: false)
    // What happened before the first sample is unknown.
    frame = Frame(time: Instant(nanoseconds: 0), contacts: [contact], followsGap: true)
  }

  /// Makes a frame for each sample; the frames are one value that is used again.
  func make(_ samples: [Sample], followsGap: Bool, _ body: (Frame) -> Void) {
    if followsGap { frame.followsGap = true }
    for sample in samples {
      let raw = range.raw(of: sample.count, isInverted: isInverted)
      frame.time = sample.time
      frame.contacts[0].raw = raw.force
      frame.contacts[0].isAtMaximum = raw.isSaturated
      body(frame)
      frame.followsGap = false
      if rateStart == nil { rateStart = sample.time } else { rateCount += 1 }
      rateEnd = sample.time
    }
  }

  /// What is wrong with the measured rate, once, if the driver does not state the rate; otherwise `nil`.
  func rateDiscrepancy(_ wanted: SampleRate?) -> Sentence? {
    guard let wanted, !statesRate, !isRateChecked, let start = rateStart, rateCount >= Self.rateSamples else {
      return nil
    }
    isRateChecked = true
    guard let measured = SampleRate(perSecond: Double(rateCount) / (rateEnd - start).seconds),
      !measured.isNear(wanted, within: Self.rateTolerance)
    else { return nil }
    return Sentence(.converterMeasuredRate, ["rate": measured.text, "wanted": wanted.text])
  }
}
