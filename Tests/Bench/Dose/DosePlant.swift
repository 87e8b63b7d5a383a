import Foundation

/// The cosine of a number of turns.
func cosine(_ turns: Double) -> Double { cos(2 * .pi * turns) }

/// A source with its switch: what has arrived in the vessel at any moment.
///
/// Every command takes effect a dead time later: network, relay, valve or motor, and the fall.
struct DosePlant: Sendable {
  let source: DoseSource
  /// The dead time of this dose in seconds.
  let deadTime: Double
  /// When the source is on, dead time included.
  private var runs: [(on: Double, off: Double)] = []
  /// What falls after an end: from when on, and how much.
  private var drips: [(time: Double, mass: Double)] = []

  /// The time constant of what falls after the end, in seconds. Chosen.
  private static let dripping = 0.4

  init(_ source: DoseSource, deadTime: Double) { (self.source, self.deadTime) = (source, deadTime) }

  /// Whether the last command was to stop.
  var isStopped: Bool { runs.last.map { $0.off < .infinity } ?? true }
  /// When the last command to stop was given.
  var stopped: Double { (runs.last?.off ?? 0) - deadTime }

  /// Switches the source on.
  mutating func switchOn(at time: Double) { if isStopped { runs.append((time + deadTime, .infinity)) } }

  /// Switches the source off.
  mutating func switchOff(at time: Double) {
    guard !isStopped else { return }
    let off = time + deadTime
    runs[runs.count - 1].off = off
    let running = runningTime(at: off)
    let flow = running > 0 ? source.flow(after: running) : 0
    drips.append((off, flow * source.drip + (flow > 0 && drips.isEmpty ? source.clump : 0)))
  }

  /// For how long the source has run.
  func runningTime(at time: Double) -> Double { runs.reduce(0) { $0 + max(min(time, $1.off) - $1.on, 0) } }

  /// The mass that has arrived.
  func mass(at time: Double) -> Double {
    let fallen = drips.reduce(0) { sum, drip in
      sum + (time > drip.time ? drip.mass * (1 - exp((drip.time - time) / Self.dripping)) : 0)
    }
    return source.mass(after: runningTime(at: time)) + fallen
  }

  /// The mass in the end.
  var total: Double { mass(at: .infinity) }
}
