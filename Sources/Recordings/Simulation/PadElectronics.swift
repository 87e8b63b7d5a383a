import Weighing

/// The sensor, the converter and the driver of a simulated pad: forces on the plate in, events out.
///
/// The plate rings under the forces (`SensorChain`). The converter adds noise, rounding and the end of its range. The
/// driver distributes the counts among the contacts by their force, so that their sum is the counts of the whole load; a
/// finger on a pad with several contacts is measured separately. The kernel drops repeated values.
struct PadElectronics: Sendable {
  /// The number of steps of one sample: the plate is simulated in steps of at most 2 ms, fine enough for resonances up to
  /// 100 Hz.
  let substeps: Int

  private let physics: PadPhysics
  private let form: PadProtocol
  private var sensor: SensorChain
  private var encoder: EventEncoder
  private var random: SplitMix64
  private var seen: [SeenContact] = []
  /// The force of everything that is weighed together, as of the current step.
  private var applied = 0.0
  private var counts = 0.0

  init(physics: PadPhysics, form: PadProtocol, seed: UInt64) {
    (self.physics, self.form) = (physics, form)
    substeps = max(1, (500 + physics.rate - 1) / physics.rate)
    sensor = SensorChain(physics: physics, step: 1 / Double(physics.rate * substeps))
    encoder = EventEncoder(form: form)
    random = SplitMix64(seed: seed)
  }

  /// The envelope of the ringing of the plate in grams.
  var unrest: Double { sensor.unrest }

  private var tellsFingersApart: Bool { form == .slots || form == .listed }

  /// Applies an impulse to the plate, in grams of force times seconds.
  mutating func applyImpulse(_ impulse: Double) { sensor.applyImpulse(impulse) }

  /// Applies the force of one contact during the current step. A contact with enough force gets the first free slot.
  ///
  /// - Parameter position: Called only for a contact that is reported.
  mutating func apply(_ force: Double, of index: Int, isFinger: Bool, at position: @autoclosure () -> Position) {
    if !(tellsFingersApart && isFinger) { applied += force }
    let known = seen.firstIndex { $0.index == index }
    guard force >= physics.touch.value else {
      if let known { seen.remove(at: known) }
      return
    }
    if let known {
      seen[known].applied = force
      seen[known].position = position()
      return
    }
    var slot = 0
    while slot < seen.count, seen[slot].slot == slot { slot += 1 }
    guard slot < PadProtocol.slotCount else { return }
    seen.insert(
      SeenContact(index: index, slot: slot, isFinger: isFinger, applied: force, position: position()), at: slot)
  }

  /// Removes all contacts.
  mutating func liftAll() { seen.removeAll(keepingCapacity: true) }

  /// Reports everything again, like a pad that was plugged in again.
  mutating func replug() {
    encoder = EventEncoder(form: form)
    seen.removeAll(keepingCapacity: true)
  }

  /// Ends the current step.
  mutating func endStep() {
    counts = sensor.advance(applied: applied)
    applied = 0
  }

  /// Takes a sample and appends its events; there are no events if nothing has changed.
  ///
  /// - Parameter noise: One standard deviation in counts.
  mutating func sample(noise: Double, at time: Instant, into events: inout [InputEvent]) {
    share(converted(counts, noise))
    for index in seen.indices where hasOwnCells(seen[index]) {
      seen[index].counts = converted(physics.counts(at: Grams(seen[index].applied)), noise)
    }
    encoder.encode(seen, at: time, to: &events)
  }

  /// The converter: noise, rounding, the end of its range.
  private mutating func converted(_ counts: Double, _ noise: Double) -> Int32 {
    let noisy = counts + (noise > 0 ? noise * random.gaussian() : 0)
    return Int32(min(max(noisy.rounded(), 0), Double(physics.axisMaximum)))
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
