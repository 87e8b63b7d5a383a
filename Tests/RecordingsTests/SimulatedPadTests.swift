import Recordings
import Testing
import Weighing

@Suite struct SimulatedPadTests {
  @Test func dependsOnItsSeedAlone() {
    func events(_ seed: UInt64) -> [InputEvent] {
      var pad = SimulatedPad(.poor, script: .demonstration, seed: seed)
      return pad.events(until: .seconds(65))
    }
    #expect(events(7) == events(7))
    #expect(events(7) != events(8))
  }

  @Test func isSilentAtRest() {
    var pad = SimulatedPad(.ideal, script: .one(100))
    let events = pad.events(until: .seconds(60))
    #expect((events.last?.time.nanoseconds ?? 0) <= 1_152_000_000, "nothing once the hand has let go at 1.15 s")
    #expect(!events.isEmpty)
  }

  @Test(arguments: [PadProtocol.slots, .single, .corners])
  func sendsNoValueTwice(_ form: PadProtocol) {
    var pad = SimulatedPad(.typical, script: .demonstration, reporting: form)
    var slot: Int32 = 0
    var values: [[Int32]: Int32] = [:]
    var isEmpty = true
    for event in pad.events(until: .seconds(120)) {
      if event.type == .synchronization {
        #expect(!isEmpty)
        isEmpty = true
        continue
      }
      isEmpty = false
      let isSlot = event.type == .absolute && event.code == AxisCode.slot.rawValue
      let inSlot = event.type == .absolute && AxisCode(rawValue: event.code).isMultitouch
      let key = [Int32(event.type.rawValue), Int32(event.code), inSlot ? slot : -1]
      #expect(values[key] ?? (event.code == AxisCode.trackingID.rawValue ? -1 : 0) != event.value)
      values[key] = event.value
      if isSlot { slot = event.value }
    }
  }

  /// Two loads and a finger in every protocol: with a single sensor, the frames add up to the counts of the entire force;
  /// with several sensors, the finger has separate counts.
  @Test(
    arguments: [PadProtocol.slots, .listed, .single, .plain(AxisCode(rawValue: 2)), .corners], [60, 125, 250, 1000])
  func framesAddUp(_ form: PadProtocol, _ rate: Int) throws {
    var physics = PadPhysics.ideal
    physics.rate = rate
    physics.curve = .divider(0.6)
    var script = LoadScript()
    let first = script.place(Grams(80), at: .seconds(1), position: Position(x: 0.3, y: 0.4))
    script.place(Grams(53), at: .seconds(2), position: Position(x: 0.7, y: 0.6))
    script.press(
      at: .seconds(3), position: Position(x: 0.05, y: 0.9),
      profile: [(.milliseconds(200), Grams(40)), (.seconds(1), Grams(40))])
    script.remove(first, at: .seconds(6))
    var loads = try SimulatedLoads(physics, script, form)
    let contacts: [(time: Double, grams: Double, seen: Int)] = [
      (0.5, 0, 0), (1.5, 80, 1), (2.5, 133, 2), (3.6, 173, 3), (5, 133, 2), (7, 53, 1),
    ]
    func counts(_ grams: Double) -> Int { Int(physics.counts(at: Grams(grams)).rounded()) }
    for (time, grams, seen) in contacts {
      let tellsFingersApart = form == .slots || form == .listed
      let expected = tellsFingersApart && grams == 173 ? counts(133) + counts(40) : counts(grams)
      #expect(loads.raw(at: time) == expected)
      switch form {
      case .slots, .listed: #expect(loads.frame.contacts.count == seen)
      case .single, .plain, .corners: #expect(loads.frame.contacts.count == min(seen, 1))
      }
    }
    #expect((7_000_000_000..<7_020_000_000).contains(loads.now.nanoseconds))
  }

  @Test func placesAndSlidesContacts() throws {
    var script = LoadScript()
    script.press(
      at: .seconds(1), position: Position(x: 0.9, y: 0.8), profile: [(.seconds(2), Grams(180))],
      slide: [(.milliseconds(500), Position(x: 0.9, y: 0.8)), (.seconds(2), Position(x: 0.9, y: 0.2))])
    var loads = try SimulatedLoads(.ideal, script)
    _ = loads.raw(at: 2.996)
    let contact = try #require(loads.frame.contacts.first)
    #expect(contact.origin == Position(x: 0.9, y: 0.8))
    #expect(abs((contact.position?.y ?? 1) - 0.2) < 0.01)
    #expect(loads.pad.truth(at: loads.now) == .zero, "a finger is no load")
  }

  @Test func knowsTheTruth() {
    var script = LoadScript()
    let cup = script.place(Grams(84), at: .seconds(1))
    script.drip(2, into: cup, at: .seconds(3), for: .seconds(10))
    script.stir(cup, at: .seconds(14), for: .seconds(2))
    script.nudge(cup, at: .seconds(18))
    script.remove(cup, at: .seconds(20))
    let truths: [(Double, Double)] = [(0.9, 0), (2, 84), (8, 94), (13, 104), (15, 104), (19, 104), (21, 0)]
    for (time, grams) in truths { #expect(abs(script.truth(at: .seconds(time)).value - grams) < 1e-9) }
    #expect(abs(script.truth(at: .seconds(1.075)).value - 42) < 1e-9, "half way through the hand's letting go")
  }

  @Test func waitsForWhatHasNotEnded() {
    var script = LoadScript()
    let thing = script.place(Grams(10), at: .seconds(1), over: .seconds(1))
    script.add(Grams(5), to: thing, at: .seconds(1.5), over: .seconds(1))
    #expect(script.truth(at: .seconds(2)) == Grams(10))
    #expect(script.truth(at: .seconds(3)) == Grams(15))
  }

  @Test func showsForEver() throws {
    var loads = try SimulatedLoads(.typical, .demonstration)
    for minute in 0..<5 {
      let start = Double(minute) * 60
      #expect(loads.raw(at: start + 0.9) == 0 && loads.frame.contacts.isEmpty)
      _ = loads.raw(at: start + 5)
      #expect(loads.frame.contacts.count == 2)
      #expect(loads.pad.truth(at: loads.now) == Grams(150))
      #expect(abs(loads.pad.physics.force(at: Double(loads.raw(at: start + 38))).value - 204) < 3)
      #expect(loads.raw(at: start + 51) > Int(loads.pad.physics.counts(at: Grams(400))))
    }
  }

  @Test func recordsWhatEvemuCanHold() throws {
    var pad = SimulatedPad(.typical, script: .demonstration)
    let events = pad.events(until: .seconds(60))
    var writer = EvemuWriter()
    var text: [UInt8] = []
    writer.append(pad.description, to: &text)
    for event in events { writer.append(event, to: &text) }
    #expect(try EvemuReader.recording(from: text) == Recording(description: pad.description, events: events))
  }
}
