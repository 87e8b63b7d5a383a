import Weighing

extension SimulatedPad {
  /// What a simulated pad is like and what happens on it.
  package struct Setup: Hashable, Sendable {
    /// How the pad responds.
    package var physics: PadPhysics
    /// What is put on it.
    package var script: LoadScript
    /// Makes the noise, always the same for the same number.
    package var seed: UInt64
    /// How long after the start its script begins.
    package var delay = Interval.zero

    /// Makes a setup.
    package init(physics: PadPhysics, script: LoadScript, seed: UInt64) {
      self.physics = physics
      self.script = script
      self.seed = seed
    }

    /// A typical pad with an endless script of weighings.
    package static let demonstration = Setup(physics: .typical, script: .demonstration, seed: 385)

    /// The pad, its script beginning at a moment.
    package func pad(startingAt start: Instant) -> SimulatedPad {
      SimulatedPad(physics, script: script, seed: seed, start: start + delay)
    }
  }
}
