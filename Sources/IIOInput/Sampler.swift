import Linux
import Synchronization
import Weighing

/// Samples one converter on a thread of its own.
///
/// A driver may block for as long as it likes: only this thread waits for it, and nothing waits for this thread. After
/// `stop` it ends as soon as the driver answers.
final class Sampler: Sendable {
  /// What the thread has to report since the last time.
  struct Report: Sendable {
    /// The samples, oldest first.
    var samples: [Sample] = []
    /// Whether samples were dropped before these, because they were not taken in time.
    var hasGap = false
    /// The last error; the thread goes on.
    var trouble: IIOError?
    /// Why the thread has ended.
    var failure: IIOError?
  }

  private struct State: Sendable {
    var report = Report()
    var converter: Converter?
  }

  /// The device that is sampled.
  let entry: ConverterEntry
  private let settings: ConverterSettings
  private let nodes: String
  private let state = Mutex(State())
  /// Raised when there is something to report.
  private let wake: Signal
  private let worker = Worker<Never>("converter")

  /// The most samples that wait to be taken: a second of the fastest converter.
  private static let capacity = 4096
  /// The pause after an error.
  private static let pause = Interval.milliseconds(100)
  /// How often range, rate and gain are checked.
  private static let verificationInterval = Interval.seconds(10)

  /// Starts sampling a device.
  ///
  /// - Parameters:
  ///   - nodes: The folder of the character devices.
  ///   - wake: Raised when there is something to report.
  init(_ entry: ConverterEntry, _ settings: ConverterSettings, nodes: String, wake: Signal) {
    (self.entry, self.settings, self.nodes, self.wake) = (entry, settings, nodes, wake)
    worker.start { [self] inbox in run(inbox) }
  }

  /// Ends the thread as soon as the driver answers; never waits.
  func stop() { worker.stop() }

  /// The converter; `nil` until the driver has described it.
  var converter: Converter? { state.withLock { $0.converter } }

  /// Removes and returns what the thread has to report.
  func take() -> Report {
    state.withLock { state in
      defer { state.report = Report() }
      return state.report
    }
  }

  // MARK: Thread

  private func run(_ inbox: Worker<Never>.Inbox) {
    do throws(IIOError) {
      let converter = try Converter(entry, settings)
      state.withLock { $0.converter = converter }
      try sample(converter, CountReader(converter, nodes: nodes), until: inbox)
    } catch {
      // A device that is removed loses its attributes first.
      report { $0.failure = error.isAbsence ? .removed(path: entry.path) : error }
    }
  }

  private func sample(
    _ converter: Converter, _ reader: borrowing CountReader, until inbox: Worker<Never>.Inbox
  ) throws(IIOError) {
    let waits = reader.waits || entry.kind?.waits == true
    let period = (converter.rate ?? settings.rate)?.period ?? SamplePace.defaultPeriod
    var pace = SamplePace(waits: waits, period: period, at: .now())
    var repeats = waits ? nil : RepeatFilter(converter.range, period: period)
    var verified = Instant.now()
    let poller = Poller()
    poller.watch(inbox.descriptor, for: .readable)
    while !inbox.take().isStopping {
      let start = Instant.now()
      var next = start
      do throws(IIOError) {
        try reader.read { sample in if repeats?.isRepeat(sample) != true { deliver(sample) } }
        let end = Instant.now()
        next = reader.waits ? end : pace.next(start: start, end: end)
      } catch {
        guard error.isTransient else { throw error }
        report { $0.trouble = error }
        next = .now() + Self.pause
      }
      let now = Instant.now()
      if now - verified >= Self.verificationInterval {
        verified = now
        try verify(converter)
      }
      if next > now { poller.wait(until: next) { _, _ in } }
    }
  }

  /// The gain can change behind the back of the service: the HX711 returns to its largest one when it is reset.
  private func verify(_ converter: Converter) throws(IIOError) {
    do throws(IIOError) {
      try converter.verify(settings)
    } catch {
      guard error.isTransient else { throw error }
      report { $0.trouble = error }
    }
  }

  private func deliver(_ sample: Sample) {
    report { report in
      if report.samples.count >= Self.capacity {
        report.samples.removeAll(keepingCapacity: true)
        report.hasGap = true
      }
      report.samples.append(sample)
    }
  }

  private func report(_ change: (inout Report) -> Void) {
    state.withLock { change(&$0.report) }
    wake.raise()
  }
}

extension IIOError {
  /// Whether a file of the device is missing.
  fileprivate var isAbsence: Bool {
    switch self {
    case .notFound, .removed: true
    case .notPermitted, .busy, .unsuitable, .silent, .malformed, .changed, .system: false
    }
  }
}
