import Configuration
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
    /// What the scale is asked for.
    let input: ScaleMachine.Input
    /// When.
    let time: Interval

    /// Makes a timed action without a payload.
    ///
    /// - Parameter name: The name of the action; one that the scale does not know is rejected in the replay.
    package init(name: String, time: Interval) {
      input = .request(ActionRequest(name: name, source: .commandLine))
      self.time = time
    }

    /// Makes a timed action with the payload that `command/NAME` takes; its source is the command line unless it names one.
    ///
    /// - Throws: `ActionPayloadError` where `run` would reject the payload.
    package init(name: String, payload: [UInt8], time: Interval) throws(ActionPayloadError) {
      let topics = Topics(prefix: "grampad", id: "replay")
      let message = IncomingMessage(topic: topics.command(name), payload: payload, isRetained: false)
      guard let command = Command(message, topics: topics), command.detail == nil else {
        throw ActionPayloadError(
          action: name, reason: Command(message, topics: topics)?.detail ?? "this action has no topic")
      }
      let json = try? JSONValue(payload, mostBytes: Command.mostListBytes)
      let source = json?["source"] == nil ? .commandLine : command.source
      switch command.verdict {
      case .failure: input = .request(ActionRequest(name: name, source: source))
      case .success(.request(let name, let label, let reference, _)):
        input = .request(ActionRequest(name: name, label: label, reference: reference, source: source))
      case .success(.replaceActions(let list, _)):
        input = .replaceActions(list, ActionRequest(name: name, source: source))
      }
      self.time = time
    }
  }

  /// A payload of an action that cannot be used.
  package struct ActionPayloadError: Error, Hashable, CustomStringConvertible {
    /// The action.
    package let action: String
    /// What is wrong with the payload.
    package let reason: String

    /// `commit: unknown field "lable"`
    package var description: String { "\(action): \(reason)" }
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
