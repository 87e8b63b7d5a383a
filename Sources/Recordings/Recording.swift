public import Weighing

/// A recording of a device: its description, if the file contains one, and its events.
public struct Recording: Hashable, Sendable {
  /// The device; `nil` for a file with only events.
  public var description: PadDescription?
  /// The events in the order of the file, with monotone times.
  public let events: [InputEvent]
  /// The number of events whose time in the file is earlier than that of their predecessor.
  public let stepsBack: Int

  /// Makes a recording from the events of a file.
  ///
  /// The core requires monotone time, so a time that steps back is raised to the latest earlier one; this is the only
  /// place that does so. No event is dropped.
  public init(description: PadDescription?, events: [InputEvent]) {
    self.description = description
    var monotone = events
    var stepsBack = 0
    for index in monotone.indices.dropFirst() {
      // The time of the predecessor in the file shows whether the time steps back; its raised time is the lower bound.
      if events[index].time < events[index - 1].time { stepsBack += 1 }
      if monotone[index].time < monotone[index - 1].time { monotone[index].time = monotone[index - 1].time }
    }
    self.events = monotone
    self.stepsBack = stepsBack
  }
}
