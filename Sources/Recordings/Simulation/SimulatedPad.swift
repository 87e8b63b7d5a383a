public import Weighing

/// A simulated force pad: converts the loads of a script, through the physics of a sensor, to the events of a device.
///
/// One sample is one step. The forces of the script act on the plate, which rings (`SensorChain`: a damped oscillator
/// with the impulse of putting down). The sensor adds hysteresis, creep and its curve; `PadElectronics` makes events of
/// its counts. The same seed gives the same events.
///
/// Instead of the script, a user can move loads (`hold(_:)`).
///
/// The cost of a sample does not depend on how long the pad has run. Nothing is allocated once the array of events has
/// grown to the size of a frame.
public struct SimulatedPad: Sendable {
  /// The description of the device.
  public let description: PadDescription
  /// The properties of the pad; rate and axis maximum are at least 1, damping is at least 0.
  public let physics: PadPhysics
  /// The script of the loads.
  public let script: LoadScript
  /// The start of the simulation, to which the times of the script are relative.
  public let start: Instant

  /// Since when the force on the sensor has been within 0.5 g of the load without a change of the script, as of the
  /// last sample; `nil` if it is not. Half a gram is half a division.
  public private(set) var restsSince: Instant?

  private var electronics: PadElectronics
  private var sample: Int64 = 0
  /// The loads that a user moves; `nil` while the script runs.
  private var hands: Hands?
  /// The time in seconds at which the script has begun.
  private var scriptStart = 0.0
  /// The contacts of the script, sorted by their start.
  private let order: [Int]
  private var upcoming = 0
  private var active: [Int] = []
  private var lastTime = -1.0

  /// Makes a pad at the start of its script.
  ///
  /// - Parameter countsPerGram: The resolution that the driver reports for its axis; 0 for none.
  public init(
    _ physics: PadPhysics = .typical, script: LoadScript, reporting form: PadProtocol = .slots, seed: UInt64 = 1,
    start: Instant = Instant(nanoseconds: 0), countsPerGram: Int32 = 0
  ) {
    var physics = physics
    physics.rate = max(physics.rate, 1)
    physics.axisMaximum = max(physics.axisMaximum, 1)
    physics.fullScale = max(physics.fullScale, Grams(0.001))
    physics.damping = max(physics.damping, 0)
    (self.physics, self.script, self.start) = (physics, script, start)
    description = form.description(
      force: AxisRange(minimum: 0, maximum: physics.axisMaximum, resolution: countsPerGram))
    electronics = PadElectronics(physics: physics, form: form, seed: seed)
    order = script.contacts.indices.sorted { script.contacts[$0].start < script.contacts[$1].start }
  }

  /// Advances to the next sample, appends its events and returns its time; there are no events if nothing has changed.
  @discardableResult
  public mutating func next(into events: inout [InputEvent]) -> Instant {
    let substeps = electronics.substeps
    for substep in 0..<substeps {
      advance(to: (Double(sample) + Double(substep) / Double(substeps)) / Double(physics.rate))
    }
    sample += 1
    let time = instant(ofSample: sample - 1)
    electronics.sample(noise: noise, at: time, into: &events)
    return time
  }

  /// The noise of a sample, one standard deviation in counts.
  private var noise: Double {
    guard let spilled = hands?.noise.value, spilled > 0 else { return physics.noiseCounts }
    let counts = spilled * Double(physics.axisMaximum) / physics.fullScale.value
    return (physics.noiseCounts * physics.noiseCounts + counts * counts).squareRoot()
  }

  /// The load of the script at a moment.
  public func truth(at time: Instant) -> Grams { script.truth(at: time - start) }

  /// All events up to and including a time of the script, for tests.
  public mutating func events(until end: Interval) -> [InputEvent] {
    var events: [InputEvent] = []
    while instant(ofSample: sample) - start <= end { next(into: &events) }
    return events
  }

  /// Sample times in whole microseconds, like those of the kernel.
  private func instant(ofSample sample: Int64) -> Instant {
    let rate = Int64(physics.rate)
    let microseconds = sample / rate * 1_000_000 + sample % rate * 1_000_000 / rate
    return start + Interval(nanoseconds: microseconds * 1000)
  }

  /// Advances the plate to a time in seconds since the start.
  private mutating func advance(to elapsed: Double) {
    let moves = hands != nil ? applyHands(at: elapsed) : applyScript(at: script.wrapped(elapsed - scriptStart))
    electronics.endStep()
    if moves || electronics.unrest > 0.5 {
      restsSince = nil
    } else if restsSince == nil {
      restsSince = start + .seconds(elapsed)
    }
  }

  /// Applies the forces of the script at a time of it; returns whether they change.
  private mutating func applyScript(at time: Double) -> Bool {
    if time < lastTime { rewind() }
    while upcoming < order.count, script.contacts[order[upcoming]].start <= time {
      active.append(order[upcoming])
      upcoming += 1
    }
    var moves = false
    for index in active {
      let contact = script.contacts[index]
      let state = contact.state(at: time)
      moves = moves || state.isMoving
      for impulse in contact.impulses where lastTime < impulse.time && impulse.time <= time {
        electronics.applyImpulse(impulse.strength)
        moves = true
      }
      electronics.apply(state.applied, of: index, isFinger: contact.isFinger, at: contact.position(at: time))
    }
    active.removeAll { script.contacts[$0].end <= time }
    lastTime = time
    return moves
  }

  private mutating func rewind() {
    upcoming = 0
    active.removeAll(keepingCapacity: true)
    electronics.liftAll()
    lastTime = -1
  }

  /// Applies the forces of the loads that a user moves; returns whether they change.
  private mutating func applyHands(at elapsed: Double) -> Bool {
    guard var hands else { return false }
    let moves = hands.apply(to: &electronics, at: elapsed)
    self.hands = hands
    return moves
  }

  // MARK: Loads that a user moves

  /// Replaces what is on the pad: the script stops and its loads are lifted; later calls change the loads.
  ///
  /// - Parameter loads: Takes effect with the next sample.
  public mutating func hold(_ loads: HandledLoads) {
    if hands == nil {
      rewind()
      hands = Hands()
    }
    hands?.change(to: loads, at: Double(sample) / Double(physics.rate))
  }

  /// Lifts everything and starts the script from its beginning.
  public mutating func restartScript() {
    hands = nil
    scriptStart = Double(sample) / Double(physics.rate)
    rewind()
  }

  /// Reports everything again, like a pad that was plugged in again.
  public mutating func replug() { electronics.replug() }
}
