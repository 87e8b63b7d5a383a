/// The frames of a pad during a diagnosis.
///
/// Grows with every frame; it is not part of weighing.
package struct SampledSeries: Sendable {
  /// One frame.
  struct Sample: Sendable {
    var time: Instant
    /// The load: the sum of the contacts.
    var counts: Int
    /// The largest contact.
    var peak: Int
    var isSaturated: Bool
    /// Whether nothing touches the pad.
    var isEmpty: Bool
  }

  /// When the diagnosis began.
  package let start: Instant
  /// The frames in order; the state at the start is not one of them.
  private(set) var samples: [Sample] = []
  /// The state at the start, if the pad reported one.
  private(set) var initial: Sample?
  /// The indices of the samples that follow a gap in the frames: an input device lost events, or a converter stalled.
  private(set) var indicesAfterGap: Set<Int> = []

  /// Makes a series without frames.
  package init(start: Instant) { self.start = start }

  /// The number of frames.
  package var count: Int { samples.count }

  /// Adds a frame.
  ///
  /// The first frame of a live pad follows a gap: it is the state at the start.
  package mutating func add(_ frame: Frame) {
    let sample = Sample(
      time: frame.time, counts: frame.raw.counts, peak: frame.contacts.map(\.raw.counts).max() ?? 0,
      isSaturated: frame.contacts.contains(where: \.isAtMaximum),
      isEmpty: frame.contacts.isEmpty)
    if frame.followsGap {
      guard initial != nil || !samples.isEmpty else {
        initial = sample
        return
      }
      indicesAfterGap.insert(samples.count)
    }
    samples.append(sample)
  }

  /// The times between two successive samples in seconds.
  ///
  /// - Parameter skipsGaps: Whether to leave out those before frames that follow a gap.
  func intervals(skipsGaps: Bool) -> [Double] {
    samples.indices.dropFirst().compactMap { index in
      if skipsGaps, indicesAfterGap.contains(index) { return nil }
      let interval = (samples[index].time - samples[index - 1].time).seconds
      return interval > 0 ? interval : nil
    }
  }

  /// Whether successive samples repeat a value.
  var repeatsValues: Bool {
    zip(samples, samples.dropFirst()).count { $0.counts == $1.counts && $0.isSaturated == $1.isSaturated } >= 3
  }
}
