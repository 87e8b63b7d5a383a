import Configuration
import EvdevInput
import Journal
import Languages
import Logging
import Messages
import Recordings
import Weighing

/// Runs a recording through the scale, offline: the same machine as in the service, driven by recorded time.
///
/// After the last event the pad is silent, which in evdev means that nothing changes. Time continues until only
/// heartbeats are left, but for at most ten seconds, so that a resting load becomes stable and the last value is
/// published; then the appliance goes offline.
///
/// Weighings go to a journal in memory or to a given file. Their times are those of the recording and their ids are
/// derived from them, so that a recording always gives the same bytes.
package struct Replay: Sendable {
  /// An action at a time relative to the first event.
  package struct TimedAction: Hashable, Sendable {
    /// The requested action.
    let input: ScaleMachine.Input
    /// The time.
    let time: Interval

    /// Makes a timed action without a payload.
    ///
    /// - Parameter name: The name of the action; an unknown one is rejected in the replay.
    package init(name: String, time: Interval) {
      input = .request(ActionRequest(name: name, source: .commandLine))
      self.time = time
    }

    /// Makes a timed action with a payload as for `command/NAME`; the default source is the command line.
    ///
    /// - Throws: `ActionPayloadError` if `run` would reject the payload.
    package init(name: String, payload: [UInt8], time: Interval) throws(ActionPayloadError) {
      let topics = Topics(prefix: "grampad", id: "replay")
      let message = IncomingMessage(topic: topics.command(name), payload: payload, isRetained: false)
      guard let command = Command(message, topics: topics) else {
        throw ActionPayloadError(action: name, reason: Sentence(.replayNoTopic))
      }
      let json = try? JSONValue(payload, maximumBytes: Command.maximumListBytes)
      let source = json?["source"] == nil ? .commandLine : command.source
      switch command.order {
      case .failure(.badPayload):
        throw ActionPayloadError(action: name, reason: command.detail ?? Sentence(.reasonBadPayload))
      case .failure: input = .request(ActionRequest(name: name, source: source))
      case .success(.request(let name, let label, let reference, let parameters, _)):
        input = .request(
          ActionRequest(name: name, label: label, reference: reference, parameters: parameters, source: source))
      case .success(.replaceActions(let list, _)):
        input = .replaceActions(list, ActionRequest(name: name, source: source))
      case .success(.resend):
        throw ActionPayloadError(action: name, reason: Sentence(.replayResend))
      }
      self.time = time
    }
  }

  /// A payload that an action does not accept.
  package struct ActionPayloadError: SentenceError, Hashable {
    /// The action.
    package let action: String
    /// What is wrong with the payload.
    package let reason: Sentence

    /// `commit: unknown field "lable"`
    package var sentence: Sentence { reason.about(action) }
  }

  let description: PadDescription
  let events: [InputEvent]
  let actions: [TimedAction]
  let configuration: Configuration
  let settings: ScaleSettings
  /// Decodes the events into frames and button changes; in its state before the first event.
  let pad: InputFrames

  /// Prepares a replay.
  ///
  /// - Parameter recording: With the description of its device.
  /// - Throws: `UnsuitablePadError` when the device can neither weigh nor has a key that is bound to an action,
  ///   `UnusableCalibrationError`.
  package init(
    _ recording: Recording, description: PadDescription, configuration: Configuration, actions: [TimedAction]
  ) throws {
    self.description = description
    events = recording.events
    self.actions = actions.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
    self.configuration = configuration
    var settings = try configuration.scaleSettings()
    // The user has selected the recording.
    settings.warnsOfContactArea = false
    self.settings = settings
    pad = try InputFrames(
      recordingOf: description, axis: settings.axis, rotation: configuration.pad.rotation,
      buttons: configuration.buttons)
  }

  /// Runs the whole recording; `body` receives every message in order and may block.
  ///
  /// - Parameter location: The journal to record weighings in.
  /// - Throws: `JournalError` if the journal cannot be opened, and any error of `body`.
  package func run(journal location: JournalLocation = .memory, _ body: (ReplayedMessage) throws -> Void) throws {
    let journal = Journal(
      location, identifiers: .derived, logger: Logger(label: "journal") { _ in SwiftLogNoOpLogHandler() })
    try journal.open()
    var run = try ReplayRun(self, journal: journal, at: location)
    try run.run(body)
  }
}
