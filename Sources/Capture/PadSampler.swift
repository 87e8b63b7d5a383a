import Languages
import Linux
import Weighing

/// Observes a pad for a diagnosis.
package struct PadSampler {
  /// Why a pad could not be observed.
  package enum SamplingError: SentenceError, Hashable {
    /// No pad was found, for this reason if one is known.
    case noPad(Sentence?)
    /// The pad cannot weigh.
    case unsuitable(UnsuitablePadError)

    /// The reason.
    package var sentence: Sentence {
      switch self {
      case .noPad(let reason): reason ?? Sentence(.padNone)
      case .unsuitable(let error): Sentence(.padCannotWeigh, ["reason": error.sentence])
      }
    }
  }

  /// A diagnosis and where the pad was found.
  package struct Outcome: Sendable {
    /// The diagnosis.
    package var diagnosis: PadDiagnosis
    /// The path of the pad.
    package var path: String
    /// Why the pad was lost before the end; `nil` if it was not.
    package var loss: Sentence?
  }

  private let settings: ScaleSettings
  private var found: (pad: PadDescription, path: String)?
  private var series = SampledSeries(start: Instant(nanoseconds: 0))
  private var loss: Sentence?

  /// How long a pad may take to appear: the search itself takes milliseconds.
  private static let patience = Interval.seconds(2)

  /// Makes a sampler for a scale with these settings.
  package init(settings: ScaleSettings) { self.settings = settings }

  /// Observes a pad for a time, from when it is found.
  ///
  /// - Parameters:
  ///   - stop: Ends the observation early.
  ///   - progress: Receives the number of samples and the time since the pad was found, twice a second.
  package mutating func observe(
    _ source: any PadSource, for duration: Interval, until stop: Signal,
    progress: (Int, Interval) -> Void = { _, _ in }
  ) throws(SamplingError) -> Outcome {
    let poller = Poller()
    poller.watch(stop.descriptor, for: .readable)
    if let descriptor = source.descriptor { poller.watch(descriptor, for: .readable) }
    let begin = Instant.now()
    var waiting: Sentence?
    var isStopped = false
    var end = begin + Self.patience
    while true {
      let now = Instant.now()
      source.process(at: now) { handle($0, at: now, waiting: &waiting) }
      if found != nil { end = series.start + duration }
      if isStopped || loss != nil || now >= end { break }
      if found != nil { progress(series.count, now - series.start) }
      let deadlines = [source.nextDeadline, now + .milliseconds(500)].compactMap(\.self)
      poller.wait(until: deadlines.reduce(end, min)) { descriptor, _ in
        if descriptor == stop.descriptor { isStopped = true }
      }
    }
    guard let found else { throw .noPad(waiting) }
    return try outcome(of: found.pad, path: found.path, until: min(.now(), end))
  }

  /// Evaluates the frames of a recording from `start` to `end`.
  package mutating func evaluate(
    _ frames: some Sequence<Frame>, of pad: PadDescription, path: String, from start: Instant, until end: Instant
  ) throws(SamplingError) -> Outcome {
    series = SampledSeries(start: start)
    for frame in frames { series.add(frame) }
    return try outcome(of: pad, path: path, until: end)
  }

  private mutating func handle(_ event: PadEvent, at now: Instant, waiting: inout Sentence?) {
    switch event {
    case .found(let pad, let path) where found == nil:
      found = (pad, path)
      series = SampledSeries(start: now)
    case .frame(let frame): if found != nil { series.add(frame) }
    case .lost(let reason): loss = reason
    case .waiting(let reason): waiting = reason
    // Frames after a gap are marked; a second pad comes only after a loss.
    case .found, .gap, .button, .setupWarning: break
    }
  }

  private func outcome(of pad: PadDescription, path: String, until end: Instant) throws(SamplingError) -> Outcome {
    do throws(UnsuitablePadError) {
      let diagnosis = try PadDiagnosis(series, of: pad, settings: settings, until: end)
      return Outcome(diagnosis: diagnosis, path: path, loss: loss)
    } catch {
      throw .unsuitable(error)
    }
  }
}
