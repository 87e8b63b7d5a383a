import Weighing

extension SimulatedPad {
  /// The properties of a simulated pad and its script.
  package struct Setup: Hashable, Sendable {
    /// The properties of the pad.
    package var physics: PadPhysics
    /// The script of the loads.
    package var script: LoadScript
    /// The seed of the noise.
    package var seed: UInt64
    /// The time from the start to the beginning of the script.
    package var delay = Interval.zero

    /// A usual pad with an endless script of weighings.
    package static let demonstration = Setup(physics: .typical, script: .demonstration, seed: 385)

    /// Makes the pad with a start time.
    package func pad(startingAt start: Instant) -> SimulatedPad {
      SimulatedPad(physics, script: script, seed: seed, start: start + delay)
    }
  }
}
