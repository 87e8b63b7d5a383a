import Configuration
import EvdevInput
import Languages
import Linux
import Recordings
import Weighing

/// Measures loads on a pad: the configured pad, or a recording, which is played in its own time.
///
/// Used by one thread. Between two measurements the events of the pad wait in the kernel. If its buffer overflows, the pad
/// reports a gap, and the measurement of the load starts again.
package final class MeasurementSession {
  /// Where events come from.
  private enum Source {
    case live(any PadSource)
    case recording(InputFrames, ArraySlice<InputEvent>)
  }

  private var source: Source
  private let poller = Poller()
  /// The settings of the scale.
  package let settings: ScaleSettings
  /// The state of the load.
  package private(set) var gauge: LoadGauge
  /// The pad's path, `simulated` or that of the recording.
  package private(set) var path: String
  /// The centre of force of the last frame; `nil` if nothing is on the pad, or if it reports no positions.
  package private(set) var position: Position?
  private var now: Instant
  /// Whether the source has reported that there is no pad.
  private var isMissing = false

  /// The interval between two reports of progress.
  private static let progressInterval = Interval.milliseconds(100)
  /// How long a pad may take to be found; longer than a load cell takes to be reported missing.
  private static let startPatience = Interval.seconds(5)

  /// Opens the configured pad.
  ///
  /// - Parameters:
  ///   - time: How long a load must be stable.
  ///   - open: Opens the pad; called after the check that the pad exists and is free.
  /// - Throws: Errors of `open`; `EvdevError` (`grabbed` if an appliance is running), `MeasurementError.noPad`,
  ///   `UnusableCalibrationError`.
  package convenience init(
    _ configuration: Configuration, time: Interval, open: (Configuration.Pad) throws -> any PadSource
  ) throws {
    let start = Instant.now()
    if configuration.pad.device != .simulated { try Self.check(configuration.pad) }
    let source = try open(configuration.pad)
    self.init(.live(source), try configuration.scaleSettings(), time: time, path: "simulated", at: start)
    if let descriptor = source.descriptor { poller.watch(descriptor, for: .readable) }
    process(until: start)
    // A load cell is found with its first sample.
    let limit = start + Self.startPatience
    while gauge.description == nil, !isMissing, now < limit { process(until: min(now + Self.progressInterval, limit)) }
  }

  /// Opens a recording.
  ///
  /// - Throws: `UnsuitablePadError`, `UnusableCalibrationError`.
  package convenience init(
    _ recording: Recording, description: PadDescription, path: String, configuration: Configuration, time: Interval
  ) throws {
    let settings = try configuration.scaleSettings()
    let events = try InputFrames(
      recordingOf: description, axis: settings.axis, rotation: configuration.pad.rotation, buttons: [])
    let start = recording.events.first?.time ?? Instant(nanoseconds: 0)
    self.init(.recording(events, recording.events[...]), settings, time: time, path: path, at: start)
    gauge.handle(.padFound(description), at: start)
  }

  /// Checks that the pad exists and is free. `run` waits for a pad; a user in front of it needs the reason immediately.
  ///
  /// A load cell is neither: the source reports its absence, and several programs can read it.
  ///
  /// - Throws: `EvdevError` (`grabbed` if an appliance is running), `MeasurementError.noPad`.
  package static func check(_ pad: Configuration.Pad) throws {
    let path: String
    switch pad.device {
    case .input(.path(let named)): path = named
    case .converter: return
    case .input, .simulated:
      switch DeviceSurvey.scan(axis: pad.axis, known: KnownPad.all).choose(pad.device.selector) {
      case .chosen(let entry, _): path = entry.path
      case .none(let reason):
        if pad.converter != nil { return }
        throw MeasurementError.noPad(reason)
      }
    }
    // If another process has grabbed the pad, no event would ever arrive.
    try EvdevDevice(path: path).setGrab(true)
  }

  private init(_ source: Source, _ settings: ScaleSettings, time: Interval, path: String, at start: Instant) {
    (self.source, self.settings, self.path) = (source, settings, path)
    gauge = LoadGauge(settings: settings, time: time, at: start)
    now = start
  }

  /// The pad as a calibration identifies it; `nil` if it is not connected.
  package var pad: CalibratedPad? {
    guard let description = gauge.description, let axis = gauge.axis else { return nil }
    return CalibratedPad(description, axis: axis)
  }

  /// Whether a plate always rests on the pad: a load cell and a Balance Board always carry one.
  package var hasPlatter: Bool {
    settings.surface == .platter || gauge.axis?.carriesPlate == true || gauge.description?.deliversEverySample == true
  }

  /// The current calibration; `nil` if the pad is not connected.
  package var calibration: Calibration? {
    gauge.axis.map { Calibration(curve: gauge.curve, axis: $0, capacity: settings.scale.capacity) }
  }

  /// Waits until a load is stable that differs from earlier loads.
  ///
  /// - Parameters:
  ///   - before: The earlier loads. A load differs from them by at least `stability.motion_g`.
  ///   - patience: The timeout.
  ///   - progress: Receives the state of the load and whether it is still one of those before, ten times a second.
  /// - Throws: `.noPad` if the pad is not connected.
  package func measure(
    unlike before: [LoadRest] = [], patience: Interval = .seconds(30),
    progress: (LoadRest, _ isUnchanged: Bool) -> Void = { _, _ in }
  ) throws(MeasurementError) -> LoadMeasurement.Result {
    let end = now + patience
    var measurement = LoadMeasurement(unlike: before, until: end)
    while true {
      let load = try load
      if let result = measurement.observe(gauge.state, on: gauge, at: now) { return result }
      progress(load, measurement.isUnchanged)
      process(until: min(now + Self.progressInterval, end))
    }
  }

  /// Observes the loads of a procedure until it is complete.
  ///
  /// - Parameters:
  ///   - begin: Called before each task.
  ///   - progress: Receives the procedure, the state of the load and the time, ten times a second.
  /// - Throws: `.noPad`, `.unchanged`, `.unstable`, `.aboveRange`.
  package func run(
    _ procedure: inout LoadingProcedure, begin: (LoadingProcedure) -> Void,
    progress: (LoadingProcedure, LoadRest, Instant) -> Void
  ) throws(MeasurementError) {
    var begun: Int?
    while procedure.task != nil {
      if begun != procedure.index {
        begin(procedure)
        begun = procedure.index
      }
      let load = try load
      do throws(LoadingProcedure.Failure) {
        try procedure.observe(gauge.state, on: gauge, at: now)
      } catch {
        throw MeasurementError(error)
      }
      guard begun == procedure.index else { continue }
      progress(procedure, load, now)
      process(until: now + Self.progressInterval)
    }
  }

  /// Observes the load for a time.
  ///
  /// - Parameter body: Receives the state of the load, ten times a second.
  /// - Throws: `.noPad` if the pad is not connected.
  package func observe(for time: Interval, body: (LoadRest) -> Void) throws(MeasurementError) {
    let end = now + time
    while now < end {
      process(until: min(now + Self.progressInterval, end))
      body(try load)
    }
  }

  /// The state of the load.
  private var load: LoadRest {
    get throws(MeasurementError) {
      switch gauge.state {
      case .noPad(let reason): throw .noPad(reason ?? Sentence(.padNone))
      case .resting(let rest), .settling(let rest): rest
      }
    }
  }

  /// Processes all events up to a point in time.
  private func process(until end: Instant) {
    switch source {
    case .live(let source):
      repeat {
        now = .now()
        source.process(at: now) { handle($0) }
        gauge.advance(to: now)
        if now >= end { break }
        let deadlines = [gauge.nextDeadline, source.nextDeadline].compactMap(\.self)
        poller.wait(until: deadlines.reduce(end, min)) { _, _ in }
      } while true
    case .recording(var events, var left):
      while let next = left.first, next.time <= end {
        left.removeFirst()
        events.handle(next) { handle($0) }
      }
      now = end
      gauge.advance(to: now)
      source = .recording(events, left)
    }
  }

  private func handle(_ event: PadEvent) {
    switch event {
    case .found(let pad, let path):
      self.path = path
      gauge.handle(.padFound(pad), at: now)
    case .frame(let frame):
      position = frame.centreOfForce
      gauge.handle(.frame(frame), at: frame.time)
    case .lost(let reason), .waiting(let reason):
      isMissing = true
      gauge.handle(.padLost(reason), at: now)
    // Buttons are not part of a measurement, and the frame after a gap is marked. A warning is in the log.
    case .button, .gap, .setupWarning: break
    }
  }
}

extension Frame {
  /// The mean position of the contacts, weighted with their force; `nil` without positions.
  fileprivate var centreOfForce: Position? {
    var (x, y, sum) = (0.0, 0.0, 0.0)
    for contact in contacts {
      guard let position = contact.position else { return nil }
      let weight = Double(contact.raw.counts)
      x += weight * position.x
      y += weight * position.y
      sum += weight
    }
    return sum > 0 ? Position(x: x / sum, y: y / sum) : nil
  }
}
