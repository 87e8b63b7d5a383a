import Languages
import Linux
import Logging
import Weighing

/// The load cell for the weighing loop; its converter may be connected and disconnected at any time.
///
/// Owned by one thread, which never waits for the driver: a `Sampler` has a thread of its own.
/// ```
///              found by name              first sample
///   searching --------------> starting ----------------> weighing
///    ^  ^                      |    ^                     |    |
///    |  '---- it has ended ----'    '---- no sample for --'    |
///    |                                    a time: lost         |
///    '----------------- removed, failed: lost -----------------'
/// ```
/// sysfs reports no new device without udev, and the service may not receive the kernel's messages. So the search is
/// repeated, which reads a few names and asks no driver.
package final class IIOInput {
  private enum State {
    /// No device is sampled.
    case searching
    /// The device has not delivered a sample since this time.
    case starting(Sampler, since: Instant)
    /// Its samples are reported. The time is that of the arrival of the last one.
    case weighing(Sampler, SampleFrames, arrival: Instant)
  }

  private let settings: ConverterSettings
  private let folder: String
  private let nodes: String
  private let logger: Logger
  private let wake = Signal()
  private var state = State.searching
  private var nextSearch: Instant
  private var lastReason: Sentence?
  private var lastTrouble: IIOError?

  /// How often the devices are listed while none delivers samples.
  private static let searchInterval = Interval.seconds(1)
  /// The same on a machine whose kernel has no IIO devices.
  private static let slowSearchInterval = Interval.seconds(5)
  /// How long a device may take for its first sample before the reason is reported.
  private static let startPatience = Interval.seconds(3)

  /// Makes an input that searches for its converter on the first call of `process`.
  ///
  /// - Parameters:
  ///   - folder: The folder of the devices in sysfs.
  ///   - nodes: The folder of their character devices.
  package init(
    _ settings: ConverterSettings, folder: String = ConverterSurvey.standardFolder, nodes: String = "/dev",
    logger: Logger
  ) {
    (self.settings, self.folder, self.nodes, self.logger) = (settings, folder, nodes, logger)
    nextSearch = .now()
    wake.raise()
  }

  deinit { release() }

  /// Whether a converter delivers samples.
  package var isWeighing: Bool {
    switch state {
    case .searching, .starting: false
    case .weighing: true
    }
  }

  /// Whether a converter is sampled that has not delivered a sample yet.
  package var isStarting: Bool {
    switch state {
    case .searching, .weighing: false
    case .starting: true
    }
  }

  /// Stops using the converter.
  package func release() {
    switch state {
    case .searching: break
    case .starting(let sampler, _), .weighing(let sampler, _, _): sampler.stop()
    }
    state = .searching
  }

  // MARK: Samples

  private func receive(at now: Instant, _ body: (PadEvent) -> Void) {
    switch state {
    case .searching: break
    case .starting(let sampler, let since):
      let report = sampler.take()
      note(report)
      if let converter = sampler.converter, !report.samples.isEmpty {
        let frames = find(converter, body)
        deliver(report, frames, body)
        state = .weighing(sampler, frames, arrival: now)
      } else if report.failure == nil, now - since >= Self.startPatience {
        let path = sampler.entry.path
        tellWaiting(lastTrouble?.sentence ?? Sentence(.converterNoSamples).about(path), body)
      }
      if let failure = report.failure { end(failure, body) }
    case .weighing(let sampler, let frames, let arrival):
      let report = sampler.take()
      note(report)
      deliver(report, frames, body)
      if !report.samples.isEmpty {
        state = .weighing(sampler, frames, arrival: now)
      } else if report.failure == nil, now - arrival >= frames.patience {
        stall(sampler, frames, after: now - arrival, body)
      }
      if let failure = report.failure { end(failure, body) }
    }
  }

  private func note(_ report: Sampler.Report) {
    if !report.samples.isEmpty { lastTrouble = nil }
    if let trouble = report.trouble { lastTrouble = trouble }
  }

  private func deliver(_ report: Sampler.Report, _ frames: SampleFrames, _ body: (PadEvent) -> Void) {
    if report.hasGap { body(.gap) }
    frames.make(report.samples, followsGap: report.hasGap) { body(.frame($0)) }
    if let discrepancy = frames.rateDiscrepancy(settings.rate) { warn(discrepancy, frames.path, body) }
  }

  private func find(_ converter: Converter, _ body: (PadEvent) -> Void) -> SampleFrames {
    let path = converter.entry.path
    lastReason = nil
    let rate = converter.rate.map { "\($0)" } ?? "unknown"
    logger.info(
      "load cell found",
      metadata: [
        "pad.path": "\(path)", "pad.name": "\(converter.description.name)", "pad.channel": "\(converter.channel)",
        "pad.rate": "\(rate)", "pad.range": "\(converter.range.bottom)...\(converter.range.top)",
      ])
    body(.found(converter.description, path: path))
    let discrepancies = converter.discrepancies(settings)
    if let first = discrepancies.first { warn(discrepancies.dropFirst().reduce(first) { $0.and($1) }, path, body) }
    return SampleFrames(converter, expecting: converter.rate ?? settings.rate)
  }

  private func warn(_ text: Sentence, _ path: String, _ body: (PadEvent) -> Void) {
    logger.warning(
      "load cell is not set up as configured", metadata: ["pad.path": "\(path)", "pad.reason": "\(text)"])
    body(.setupWarning(text))
  }

  // MARK: Loss

  /// The driver has stopped answering; its thread waits on, and the pad is back with its next sample.
  private func stall(_ sampler: Sampler, _ frames: SampleFrames, after time: Interval, _ body: (PadEvent) -> Void) {
    let reason = lastTrouble?.reason ?? IIOError.silent(path: frames.path, time).reason
    state = .starting(sampler, since: .now())
    nextSearch = .now() + Self.searchInterval
    lose(frames.path, reason, body)
  }

  private func end(_ failure: IIOError, _ body: (PadEvent) -> Void) {
    let wasWeighing = isWeighing
    state = .searching
    nextSearch = .now() + Self.searchInterval
    if wasWeighing {
      lose(failure.path, failure.reason, body)
    } else {
      tellWaiting(failure.sentence, body)
    }
  }

  private func lose(_ path: String, _ reason: Sentence, _ body: (PadEvent) -> Void) {
    logger.warning("load cell lost", metadata: ["pad.path": "\(path)", "pad.reason": "\(reason)"])
    body(.lost(reason: reason.about(path)))
  }

  // MARK: Search

  private func search(at now: Instant, _ body: (PadEvent) -> Void) {
    nextSearch = now + (FileSystem.exists(folder) ? Self.searchInterval : Self.slowSearchInterval)
    switch (ConverterSurvey.scan(folder: folder).choose(settings), state) {
    case (_, .weighing): break
    case (.chosen(let entry, _), .starting(let sampler, _)) where entry == sampler.entry: break
    case (.chosen(let entry, let because), _):
      release()
      logger.info("reading a load cell", metadata: ["pad.path": "\(entry.path)", "pad.reason": "\(because)"])
      lastTrouble = nil
      state = .starting(Sampler(entry, settings, nodes: nodes, wake: wake), since: now)
    case (.none(let reason), _):
      release()
      tellWaiting(reason, body)
    case (.absent, _): release()
    }
  }

  private func tellWaiting(_ reason: Sentence, _ body: (PadEvent) -> Void) {
    guard reason != lastReason else { return }
    lastReason = reason
    // With `auto`, most machines have no load cell.
    logger.log(
      level: settings.name == nil ? .debug : .notice, "waiting for a load cell", metadata: ["pad.reason": "\(reason)"])
    body(.waiting(reason: reason))
  }
}

extension IIOInput: PadSource {
  package var descriptor: Int32? { wake.descriptor }

  package var nextDeadline: Instant? {
    switch state {
    case .searching, .starting: nextSearch
    case .weighing(_, let frames, let arrival): arrival + frames.patience
    }
  }

  /// Reports what the converter has delivered; never waits.
  package func process(at now: Instant, _ body: (PadEvent) -> Void) {
    wake.lower()
    receive(at: now, body)
    switch state {
    case .searching, .starting: if now >= nextSearch { search(at: now, body) }
    case .weighing: break
    }
  }

  /// A load cell has no means of feedback.
  package func show(_ feedback: Feedback) {}
}
