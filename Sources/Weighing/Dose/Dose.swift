/// A dose: an output is switched on, and off again so that the net at rest is the target.
public struct Dose: Hashable, Sendable {
  /// The output that is switched.
  public var output: OutputName
  /// The net to reach; it is always stopped ahead.
  public var target: Target

  /// Makes a dose.
  public init(output: OutputName, target: Target) { (self.output, self.target) = (output, target) }
}

/// What a request does with a dose.
public enum DoseCommand: Hashable, Sendable {
  /// Start it.
  case start(Dose)
  /// Forget what was learned for a label; `""` for doses without one.
  case forget(label: String)
}

/// A dose that goes on, for events.
public struct RunningDose: Hashable, Sendable {
  /// The dose.
  public var dose: Dose
  /// The label under which it is learned; `""` without one.
  public var label: String
}

/// A dose that has ended.
public struct FinishedDose: Hashable, Sendable {
  /// Why a dose has ended. The output is off then.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The load will have reached the target.
    case reached
    /// A user has stopped it.
    case stopped
    /// The pad was lost.
    case padLost = "pad_lost"
    /// The readings of the pad are unreliable.
    case padSuspect = "pad_suspect"
    /// The load is in overload.
    case overload
    /// Nothing has flowed for 5 s.
    case noFlow = "no_flow"
    /// The flow was above the maximum of the output.
    case tooFast = "too_fast"
    /// The load was lifted.
    case lifted
    /// It took more than 60 s.
    case timeout
    /// The target, the tare or the zero was changed.
    case targetChanged = "target_changed"
    /// The configuration has changed.
    case configuration
    /// The service stops.
    case shutdown
    /// The connection to the broker has ended.
    case disconnected
    /// The broker has refused to switch the output.
    case refused
  }

  /// Whether the next doses are stopped by what a dose has shown.
  public enum Learning: Hashable, Sendable {
    /// The next ones with its label are.
    case learned
    /// Its dead time is far from those of the earlier doses with its label. It counts only if the next ones agree with it.
    case outlier
    /// It has shown nothing that is certain.
    case nothing
  }

  /// The dose.
  public var dose: Dose
  /// Its label; `""` without one.
  public var label: String
  /// Why it has ended.
  public var reason: Reason
  /// The net at rest; `nil` if it is not known.
  public var result: Grams?
  /// What is learned from it.
  public var learning: Learning
}
