public import Weighing

/// A recording of a device: its description, if the file contains one, and its events.
public struct Recording: Hashable, Sendable {
  /// The device; `nil` for a file with only events.
  public var description: PadDescription?
  /// The events in the order of the file, with monotone times.
  public let events: [InputEvent]

  /// Makes a recording from the events of a file.
  ///
  /// The core requires monotone time, so a time that steps back is raised to the latest earlier one; this is the only
  /// place that does so. No event is dropped.
  public init(description: PadDescription?, events: [InputEvent]) {
    self.description = description
    var monotone = events
    for index in monotone.indices.dropFirst() {
      monotone[index].time = max(monotone[index].time, monotone[index - 1].time)
    }
    self.events = monotone
  }
}
