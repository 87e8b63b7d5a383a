public import Weighing

/// A simulated force pad: converts the loads of a script, through the physics of a sensor, to the events of a device.
///
/// One sample is one step. The forces of the script act on the plate, which rings (`SensorChain`: a damped oscillator
/// with the impulse of putting down). The sensor adds hysteresis, creep and its curve; the converter adds noise,
/// rounding and the end of its range. The driver distributes the counts among the objects by their force, so that their
/// sum is the counts of the whole load; a finger on a pad with several contacts is measured separately. The kernel
/// drops repeated values. The same seed gives the same events.
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

  private var sensor: SensorChain
  private var encoder: EventEncoder
  private var random: SplitMix64
  private var sample: Int64 = 0
  private let substeps: Int
  private let tellsFingersApart: Bool
  /// The contacts of the script, sorted by their start.
  private let order: [Int]
  private var upcoming = 0
  private var active: [Int] = []
  private var seen: [SeenContact] = []
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
    self.physics = physics
    self.script = script
    self.start = start
    description = form.description(
      force: AxisRange(minimum: 0, maximum: physics.axisMaximum, resolution: countsPerGram))
    // The plate is simulated in steps of at most 2 ms, fine enough for resonances up to 100 Hz.
    substeps = max(1, (500 + physics.rate - 1) / physics.rate)
    sensor = SensorChain(physics: physics, step: 1 / Double(physics.rate * substeps))
    encoder = EventEncoder(form: form)
    tellsFingersApart = form == .slots || form == .listed
    random = SplitMix64(seed: seed)
    order = script.contacts.indices.sorted { script.contacts[$0].start < script.contacts[$1].start }
  }

  /// Advances to the next sample, appends its events and returns its time; there are no events if nothing has changed.
  @discardableResult
  public mutating func next(into events: inout [InputEvent]) -> Instant {
    var counts = 0.0
    for substep in 0..<substeps {
      counts = advance(to: (Double(sample) + Double(substep) / Double(substeps)) / Double(physics.rate))
    }
    sample += 1
    let time = instant(ofSample: sample - 1)
    share(converted(counts))
    for index in seen.indices where hasOwnCells(seen[index]) {
      seen[index].counts = converted(physics.counts(at: Grams(seen[index].applied)))
    }
    encoder.encode(seen, at: time, to: &events)
    return time
  }

  /// The converter: noise, rounding, the end of its range.
  private mutating func converted(_ counts: Double) -> Int32 {
    let noisy = counts + (physics.noiseCounts > 0 ? physics.noiseCounts * random.gaussian() : 0)
    return Int32(min(max(noisy.rounded(), 0), Double(physics.axisMaximum)))
  }

  /// The load on the pad at a moment.
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

  /// Advances the plate to a time of the script; returns the counts before conversion.
  private mutating func advance(to elapsed: Double) -> Double {
    let time = script.wrapped(elapsed)
    if time < lastTime {
      upcoming = 0
      active.removeAll(keepingCapacity: true)
      seen.removeAll(keepingCapacity: true)
      lastTime = -1
    }
    while upcoming < order.count, script.contacts[order[upcoming]].start <= time {
      active.append(order[upcoming])
      upcoming += 1
    }
    var applied = 0.0
    var moves = false
    for index in active {
      let state = script.contacts[index].state(at: time)
      if !(tellsFingersApart && script.contacts[index].isFinger) { applied += state.applied }
      moves = moves || state.isMoving
      for impulse in script.contacts[index].impulses where lastTime < impulse.time && impulse.time <= time {
        sensor.applyImpulse(impulse.strength)
        moves = true
      }
      look(at: index, state.applied, time)
    }
    active.removeAll { script.contacts[$0].end <= time }
    lastTime = time
    let counts = sensor.advance(applied: applied)
    if moves || sensor.unrest > 0.5 {
      restsSince = nil
    } else if restsSince == nil {
      restsSince = start + .seconds(elapsed)
    }
    return counts
  }

  /// Updates the list of the reported contacts, sorted by slot: a contact with enough force gets the first free slot.
  private mutating func look(at index: Int, _ applied: Double, _ time: Double) {
    let known = seen.firstIndex { $0.index == index }
    guard applied >= physics.touch.value else {
      if let known { seen.remove(at: known) }
      return
    }
    let position = script.contacts[index].position(at: time)
    if let known {
      seen[known].applied = applied
      seen[known].position = position
      return
    }
    var slot = 0
    while slot < seen.count, seen[slot].slot == slot { slot += 1 }
    guard slot < PadProtocol.slotCount else { return }
    seen.insert(
      SeenContact(
        index: index, slot: slot, isFinger: script.contacts[index].isFinger, applied: applied, position: position),
      at: slot)
  }

  private func hasOwnCells(_ contact: SeenContact) -> Bool { tellsFingersApart && contact.isFinger }

  /// Distributes counts by force so that they add up exactly.
  private mutating func share(_ counts: Int32) {
    let whole = seen.reduce(0) { $0 + (hasOwnCells($1) ? 0 : $1.applied) }
    let last = seen.lastIndex { !hasOwnCells($0) }
    var sum = 0.0
    var given: Int32 = 0
    for index in seen.indices where !hasOwnCells(seen[index]) {
      sum += seen[index].applied
      let upTo = index == last ? counts : Int32((Double(counts) * sum / whole).rounded())
      seen[index].counts = upTo - given
      given = upTo
    }
  }
}
