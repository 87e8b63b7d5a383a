/// Stops ahead of targets and doses: the state that is kept next to the instruments.
struct Dosing: Sendable {
  /// What earlier doses have shown.
  var learned = LearnedStops()
  /// Whether there is a connection to the broker that switches the outputs.
  var isConnected = false
  /// The target that is stopped ahead, or the dose that settles; `nil` without one.
  var stop: StopAhead?
  /// The dose; `nil` while no dose goes on.
  var run: DoseRun?

  /// Whether there is something to do with a frame.
  var isInUse: Bool { @inline(__always) get { stop != nil } }

  /// The phase of the dose.
  var phase: TargetProgress.DosePhase? { run.map { $0.reason == nil ? .running : .settling } }

  /// When there is something to do if no frame arrives before.
  var deadline: Instant? {
    guard let stop else { return nil }
    var earliest = EarliestInstant()
    earliest.include(stop.deadline)
    earliest.include(run?.deadline)
    return earliest.instant
  }
}

extension Dosing: Invariants {
  var invariants: KeyValuePairs<String, Bool> {
    [
      "a dose has a target that is stopped ahead": run == nil || stop?.isDose == true,
      "only a dose stops at any load": stop?.isDose != true || run != nil,
      "an output is on only with a connection": run == nil || run?.reason != nil || isConnected,
    ]
  }
}
