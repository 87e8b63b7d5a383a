public import Weighing

/// What was recorded of a device: what it says of itself, where the file says so, and its events.
public struct Recording: Hashable, Sendable {
  /// The device, `nil` where the file holds events only.
  public var description: PadDescription?
  /// The events in the order of the file, their times never stepping back.
  public let events: [InputEvent]
  /// How many events of the file bore a time before that of their predecessor.
  public let stepsBack: Int

  /// Makes a recording from events as a file has them.
  ///
  /// The core lives in monotone time, so a time that steps back is raised to the latest one before it; this is the only
  /// place that does so. No event is dropped.
  public init(description: PadDescription?, events: [InputEvent]) {
    self.description = description
    var monotone = events
    var stepsBack = 0
    for index in monotone.indices.dropFirst() {
      // The predecessor as the file has it decides what is a step, the one already raised what is monotone.
      if events[index].time < events[index - 1].time { stepsBack += 1 }
      if monotone[index].time < monotone[index - 1].time { monotone[index].time = monotone[index - 1].time }
    }
    self.events = monotone
    self.stepsBack = stepsBack
  }
}
