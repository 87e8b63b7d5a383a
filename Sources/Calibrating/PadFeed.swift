import Configuration
import EvdevInput
import EventLoop
import Recordings
import Weighing

/// A pad to measure on: the one that the configuration names, or a recording of one, in whose own time everything happens.
///
/// Used by one thread. Between two measurements nobody reads the pad; what it says meanwhile waits in the kernel, and
/// where that is too much the pad says so and the load is looked at anew.
package final class PadFeed {
  /// What a measurement came to.
  package enum Result: Hashable, Sendable {
    /// The load rests.
    case rest(LoadRest)
    /// It did not come to rest within the patience; what was known last.
    case restless(LoadRest)
    /// It rests, but it is what was there before.
    case unchanged(LoadRest)
  }

  /// Where events come from.
  private enum Source {
    case live(any PadSource)
    case recording(PadEvents, ArraySlice<InputEvent>)
  }

  private var source: Source
  private let poller = Poller()
  private let timer = DeadlineTimer()
  /// Those of the scale that measures.
  package let settings: ScaleSettings
  /// The scale that is asked.
  package private(set) var gauge: LoadGauge
  /// The pad's path, `simulated` or that of the recording.
  package private(set) var path: String
  private var now: Instant

  /// How often a watcher is told how far it is.
  private static let telling = Interval.milliseconds(100)

  /// Measures on the pad of a configuration.
  ///
  /// - Parameters:
  ///   - time: How long a load has to rest.
  ///   - open: Opens the pad; called once the pad is known to be there and free.
  /// - Throws: What `open` throws; `EvdevError` (`grabbed` where an appliance runs), `PadFeedError`, `UnusableCalibration`.
  package convenience init(
    _ configuration: Configuration, time: Interval, open: (Configuration.Pad) throws -> any PadSource
  ) throws {
    let start = Instant.now()
    if configuration.pad.device != .simulated { try Self.check(configuration.pad) }
    let source = try open(configuration.pad)
    self.init(.live(source), try configuration.scaleSettings(), time: time, path: "simulated", at: start)
    if let descriptor = source.descriptor { poller.watch(descriptor, for: .readable) }
    poller.watch(timer.descriptor, for: .readable)
    pump(until: start)
  }

  /// Plays a recording instead.
  ///
  /// - Throws: `UnsuitablePad`, `UnusableCalibration`.
  package convenience init(
    _ recording: Recording, description: PadDescription, path: String, configuration: Configuration, time: Interval
  ) throws {
    let settings = try configuration.scaleSettings()
    let events = try PadEvents(
      recordingOf: description, axis: settings.axis, rotation: configuration.pad.rotation, buttons: [])
    let start = recording.events.first?.time ?? Instant(nanoseconds: 0)
    self.init(.recording(events, recording.events[...]), settings, time: time, path: path, at: start)
    gauge.handle(.padFound(description), at: start)
  }

  /// `run` waits for a pad to come; whoever stands before one wants to know at once why there is none.
  private static func check(_ pad: Configuration.Pad) throws {
    let path: String
    switch pad.device {
    case .path(let named): path = named
    case .automatic, .simulated, .matching:
      switch DeviceSurvey.scan(axis: pad.axis).choose(pad.device.selector) {
      case .chosen(let entry, _): path = entry.path
      case .none(let reason): throw PadFeedError(reason: reason)
      }
    }
    // Where somebody else has grabbed it, no event would ever come.
    try EvdevDevice(path: path).setGrab(true)
  }

  private init(_ source: Source, _ settings: ScaleSettings, time: Interval, path: String, at start: Instant) {
    self.source = source
    self.settings = settings
    self.path = path
    gauge = LoadGauge(settings: settings, time: time, at: start)
    now = start
  }

  /// The pad as a calibration remembers it; `nil` without one.
  package var pad: CalibratedPad? {
    guard let description = gauge.description, let axis = gauge.axis else { return nil }
    return CalibratedPad(description, axis: axis)
  }

  /// What counts weigh by the calibration in force; `nil` without a pad.
  package var calibration: Calibration? {
    gauge.axis.map { Calibration(curve: gauge.curve, axis: $0, capacity: settings.capacity) }
  }

  /// Waits until something else than before lies on the pad and rests.
  ///
  /// - Parameters:
  ///   - before: Loads that are not meant: they differ from the one that is by at least `stability.motion_g`.
  ///   - patience: How long to wait.
  ///   - watch: Told about ten times a second what is known so far.
  /// - Throws: `PadFeedError` when there is no pad, or none any more.
  package func measure(
    unlike before: [LoadRest] = [], patience: Interval = .seconds(30), watch: (LoadRest) -> Void = { _ in }
  ) throws(PadFeedError) -> Result {
    let end = now + patience
    var isUnchanged = false
    while true {
      switch gauge.state {
      case .noPad(let reason): throw PadFeedError(reason: reason)
      case .resting(let rest):
        isUnchanged = before.contains { isAlike($0, rest) }
        if !isUnchanged { return .rest(rest) }
        watch(rest)
        if now >= end { return .unchanged(rest) }
      case .settling(let rest):
        isUnchanged = isUnchanged && before.contains { isAlike($0, rest) }
        watch(rest)
        if now >= end { return isUnchanged ? .unchanged(rest) : .restless(rest) }
      }
      pump(until: min(now + Self.telling, end))
    }
  }

  /// Lets a time pass; `watch` is told what is on the pad, ten times a second.
  package func look(for time: Interval, watch: (LoadRest) -> Void) throws(PadFeedError) {
    let end = now + time
    while now < end {
      pump(until: min(now + Self.telling, end))
      switch gauge.state {
      case .noPad(let reason): throw PadFeedError(reason: reason)
      case .resting(let rest), .settling(let rest): watch(rest)
      }
    }
  }

  /// Whether two loads are the same, as far as the noise and the limit of motion tell.
  private func isAlike(_ a: LoadRest, _ b: LoadRest) -> Bool {
    guard a.isAtMaximum == b.isAtMaximum else { return false }
    let noise = 5 * (a.deviation * a.deviation + b.deviation * b.deviation).squareRoot()
    return (a.counts - b.counts).magnitude <= max(noise, gauge.counts(of: settings.motion, at: a))
  }

  /// Takes all that happens up to a moment.
  private func pump(until end: Instant) {
    switch source {
    case .live(let source):
      repeat {
        now = .now()
        source.process(at: now) { take($0) }
        gauge.advance(to: now)
        if now >= end { break }
        timer.set([end, gauge.nextDeadline, source.nextDeadline].compactMap(\.self).min())
        for (descriptor, _) in poller.wait(milliseconds: -1) where descriptor == timer.descriptor {
          timer.acknowledge()
        }
      } while true
    case .recording(var events, var left):
      while let next = left.first, next.time <= end {
        left.removeFirst()
        events.handle(next) { take($0) }
      }
      now = end
      gauge.advance(to: now)
      source = .recording(events, left)
    }
  }

  private func take(_ event: PadEvent) {
    switch event {
    case .found(let pad, let path):
      self.path = path
      gauge.handle(.padFound(pad), at: now)
    case .frame(let frame): gauge.handle(.frame(frame), at: frame.time)
    case .lost(let reason), .waiting(let reason): gauge.handle(.padLost(reason), at: now)
    // Keys do not weigh, and the frame after a gap says so itself.
    case .button, .gap: break
    }
  }
}

/// There is no pad to measure on.
package struct PadFeedError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why, in words.
  package var reason: String

  /// What failed.
  package var description: String { "no pad: \(reason)" }
}

extension CalibratedPad {
  /// The pad that a configuration names, where it is there now.
  package init?(_ configuration: Configuration) {
    let choice = configuration.pad
    if choice.device == .simulated {
      let pad = SimulatedPad.Setup.demonstration.pad(startingAt: Instant(nanoseconds: 0)).description
      guard let axis = try? pad.loadAxis(choice.axis) else { return nil }
      self.init(pad, axis: axis)
      return
    }
    guard case .chosen(let entry, _) = DeviceSurvey.scan(axis: choice.axis).choose(choice.device.selector),
      let pad = entry.description, let axis = entry.axis
    else { return nil }
    self.init(pad, axis: axis)
  }
}
