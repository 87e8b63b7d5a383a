import EvdevInput
import Journal
import Logging
import Messages
import Recordings
import Weighing

/// Runs a recording through the scale, offline: the same machine as on the pad, driven by recorded time.
///
/// After the last event the pad is taken to be silent, as evdev means silence: nothing changes. Time goes on until
/// nothing is left to come but heartbeats, so that a load that rests at the end becomes stable and the last value
/// is told, for ten seconds at most; then the appliance says goodbye.
///
/// Weighings go to a journal in memory, or to the file that is given. Their times are those of the recording and their ids
/// follow from them, so that the same recording gives the same bytes on any day.
package struct Replay: Sendable {
  /// An action at a time after the first event.
  package struct TimedAction: Hashable, Sendable {
    /// What is asked, by name.
    package var name: String
    /// When.
    package var time: Interval

    /// Makes a timed action.
    package init(name: String, time: Interval) {
      self.name = name
      self.time = time
    }
  }

  let description: PadDescription
  let events: [InputEvent]
  let actions: [TimedAction]
  let configuration: Configuration
  let settings: ScaleSettings
  /// What makes frames and button changes of the events, as it is before the first of them.
  let pad: PadEvents

  /// Prepares a replay.
  ///
  /// - Parameter recording: With the description of its device.
  /// - Throws: `UnsuitablePad` when the device can neither weigh nor has a key that is bound to an action,
  ///   `UnusableCalibration`.
  package init(
    _ recording: Recording, description: PadDescription, configuration: Configuration, actions: [TimedAction]
  ) throws {
    self.description = description
    events = recording.events
    self.actions = actions.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
    self.configuration = configuration
    settings = try configuration.scaleSettings()
    pad = try PadEvents(
      recordingOf: description, axis: settings.axis, rotation: configuration.pad.rotation,
      buttons: configuration.buttonBindings)
  }

  /// Runs it all; `body` gets every line in order and may wait between them.
  ///
  /// - Parameter place: Where weighings are recorded.
  /// - Throws: `JournalError` when the journal cannot be opened, and what `body` throws.
  package func run(journal place: JournalPlace = .memory, _ body: (ReplayLine) throws -> Void) throws {
    let journal = Journal(
      place, identifiers: .derived, logger: Logger(label: "journal") { _ in SwiftLogNoOpLogHandler() })
    try journal.open()
    var run = try ReplayRun(self, journal: journal, at: place)
    try run.run(body)
  }
}
