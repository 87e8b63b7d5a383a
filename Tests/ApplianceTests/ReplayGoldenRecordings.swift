import Recordings
import Weighing

/// The recordings of `Golden` that the simulated pad makes; the others there are written by hand.
///
/// Ten counts are a gram on all of them but `noisy`, so that the expected lines can be checked by eye.
enum ReplayGoldenRecordings {
  /// The name and what happens.
  static let all: [(name: String, take: Take)] =
    [
      ("one-load", oneLoad), ("two-loads", twoLoads), ("single-touch", singleTouch), ("protocol-a", protocolA),
      ("plain-axis", plainAxis), ("kernel-resolution", kernelResolution), ("overload-and-back", overloadAndBack),
      ("axis-maximum", axisMaximum), ("over-the-end", overTheEnd), ("tare-and-negative-net", tareAndNegativeNet),
      ("rejected-tare", rejectedTare),
      ("lift-keeps-tare", liftWithTare), ("lift-clears-tare", liftWithTare), ("touch-in-zone", touchInZone),
      ("slide-into-zone", slideIntoZone), ("rotated-zone", rotatedZone), ("platter", platter), ("contacts", contacts),
      ("noisy", noisy),
    ] + presses + cancels

  /// One recording: what is put on the pad, what the pad is like, and when it ends, in seconds.
  struct Take: Sendable {
    var form = PadProtocol.slots
    var grams = 385
    var countsPerGram: Int32 = 0
    var physics: PadPhysics?
    /// What Enter does, and when, on a pad that has it.
    var keys: [(time: Interval, value: Int32)] = []
    /// Whether the device has nothing but Enter.
    var isKeyboard = false
    /// From when on the events of half a second are lost.
    var lost: Interval?
    var end: Double
    var script = LoadScript()

    /// Made by `arrange`, which puts things on the pad.
    init(until end: Double, _ arrange: (inout LoadScript) -> Void) {
      self.end = end
      arrange(&script)
    }

    /// The file.
    var evemu: [UInt8] {
      var ideal = PadPhysics.ideal
      ideal.fullScale = Grams(Double(grams))
      ideal.axisMaximum = Int32(grams) * 10
      ideal.rate = 50
      var pad = SimulatedPad(physics ?? ideal, script: script, reporting: form, countsPerGram: countsPerGram)
      var writer = EvemuWriter()
      var text: [UInt8] = []
      var description = pad.description
      if isKeyboard { description = PadDescription(name: "Grampad Simulated Keyboard", id: description.id) }
      if !keys.isEmpty { description.keys.insert(Self.enter) }
      writer.append(description, to: &text)
      for event in events(of: isKeyboard ? [] : pad.events(until: .seconds(end))) { writer.append(event, to: &text) }
      return text
    }

    private static let enter = KeyCode(rawValue: 28)

    /// The events of the pad with those of the key, and without those that are lost.
    private func events(of pad: [InputEvent]) -> [InputEvent] {
      func report(_ time: Instant) -> InputEvent {
        InputEvent(time: time, type: .synchronization, code: SynchronizationCode.report, value: 0)
      }
      let start = Instant(nanoseconds: 0)
      var events = pad
      for (time, value) in keys {
        let time = start + time
        let key = InputEvent(time: time, type: .key, code: Self.enter.rawValue, value: value)
        let index = events.firstIndex { $0.time > time } ?? events.endIndex
        events.insert(contentsOf: [key, report(time)], at: index)
      }
      if let lost {
        let (from, to) = (start + lost, start + lost + .milliseconds(60))
        let index = events.firstIndex { $0.time >= from } ?? events.endIndex
        events.removeAll { $0.time >= from && $0.time < to }
        let dropped = InputEvent(time: from, type: .synchronization, code: SynchronizationCode.dropped, value: 0)
        events.insert(contentsOf: [dropped, report(from)], at: index)
      }
      return events
    }

    func reporting(_ form: PadProtocol) -> Take {
      var take = self
      take.form = form
      return take
    }

    /// A pad whose driver states its ten counts a gram, so that grams are known past the capacity.
    func stating(upTo grams: Int) -> Take {
      var take = self
      take.grams = grams
      take.countsPerGram = 10
      return take
    }
  }

  private static let left = Position(x: 0.4, y: 0.5)
  private static let right = Position(x: 0.6, y: 0.5)

  private static let oneLoad = Take(until: 1.4) { script in
    let load = script.place(Grams(100), at: .seconds(0.2))
    script.remove(load, at: .seconds(1.2))
  }

  private static let twoLoads = Take(until: 2.7) { script in
    let first = script.place(Grams(100), at: .seconds(0.2), position: left)
    let second = script.place(Grams(50), at: .seconds(1), position: right)
    script.remove(first, at: .seconds(1.8))
    script.remove(second, at: .seconds(2.5))
  }

  private static let singleTouch = oneLoad.reporting(.single)
  private static let protocolA = twoLoads.reporting(.listed)
  private static let plainAxis = oneLoad.reporting(.plain(AxisCode(rawValue: 0x28)))
  private static let kernelResolution = Take(until: 1.4) { script in
    let load = script.place(Grams(123.4), at: .seconds(0.2))
    script.remove(load, at: .seconds(1.2))
  }.stating(upTo: 420)

  private static let overloadAndBack = Take(until: 3.2) { script in
    let load = script.place(Grams(300), at: .seconds(0.2))
    script.add(Grams(100), to: load, at: .seconds(1))
    script.add(Grams(-100), to: load, at: .seconds(2))
    script.remove(load, at: .seconds(3))
  }.stating(upTo: 420)

  private static let axisMaximum = Take(until: 1.4) { script in
    let load = script.place(Grams(500), at: .seconds(0.2))
    script.remove(load, at: .seconds(1.2), over: .milliseconds(10))
  }.stating(upTo: 420)

  /// What was clipped must not be averaged with what comes after.
  private static let overTheEnd = Take(until: 3.5) { script in
    let load = script.place(Grams(500), at: .seconds(0.2))
    script.add(Grams(-100), to: load, at: .seconds(1.2))
    script.remove(load, at: .seconds(3.2))
  }.stating(upTo: 420)

  private static let tareAndNegativeNet = Take(until: 3.5) { script in
    let cup = script.place(Grams(30), at: .seconds(0.2))
    script.add(Grams(100), to: cup, at: .seconds(1))
    script.add(Grams(-110), to: cup, at: .seconds(2))
    script.remove(cup, at: .seconds(3.3))
  }

  private static let rejectedTare = Take(until: 3.2) { script in
    let bowl = script.place(Grams(100), at: .seconds(0.2))
    script.stir(bowl, at: .seconds(0.4), for: .seconds(1.2), amplitude: Grams(20), frequency: 3)
    script.remove(bowl, at: .seconds(2.8))
  }

  private static let liftWithTare = Take(until: 2.9) { script in
    let cup = script.place(Grams(30), at: .seconds(0.2))
    script.remove(cup, at: .seconds(1.2))
    let full = script.place(Grams(80), at: .seconds(1.8))
    script.remove(full, at: .seconds(2.7))
  }

  private static let touchInZone = Take(until: 2.4) { script in
    let load = script.place(Grams(100), at: .seconds(0.2))
    script.press(
      at: .seconds(1), position: Position(x: 0.95, y: 0.8),
      profile: [(.milliseconds(100), Grams(180)), (.milliseconds(300), Grams(180))],
      slide: [(.milliseconds(100), Position(x: 0.95, y: 0.8)), (.milliseconds(300), Position(x: 0.5, y: 0.5))])
    script.remove(load, at: .seconds(2.2))
  }

  private static let slideIntoZone = Take(until: 1.6) { script in
    script.press(
      at: .seconds(0.2), position: LoadScript.middle,
      profile: [(.milliseconds(100), Grams(60)), (.milliseconds(1000), Grams(60))],
      slide: [(.milliseconds(200), LoadScript.middle), (.milliseconds(400), Position(x: 0.95, y: 0.5))])
  }

  /// Turned clockwise, the upper edge is on the right: a touch there is a press, and one on the left of the device is not.
  private static let rotatedZone = Take(until: 2.2) { script in
    let load = script.place(Grams(100), at: .seconds(0.2), position: Position(x: 0.05, y: 0.5))
    script.press(
      at: .seconds(1), position: Position(x: 0.5, y: 0.05),
      profile: [(.milliseconds(100), Grams(60)), (.milliseconds(300), Grams(60))])
    script.remove(load, at: .seconds(2))
  }

  private static let platter = Take(until: 3.2) { script in
    script.place(Grams(50), at: .seconds(0.2), position: left)
    let load = script.place(Grams(100), at: .seconds(1.2), position: right)
    script.remove(load, at: .seconds(2.2))
  }

  private static let contacts = Take(until: 0.9) { script in
    let load = script.place(Grams(100), at: .seconds(0.2), position: left, over: .milliseconds(60))
    script.press(
      at: .seconds(0.4), position: Position(x: 0.95, y: 0.9),
      profile: [(.milliseconds(40), Grams(60)), (.milliseconds(100), Grams(60))],
      slide: [(.milliseconds(40), Position(x: 0.95, y: 0.9)), (.milliseconds(100), Position(x: 0.95, y: 0.5))])
    script.remove(load, at: .seconds(0.8), over: .milliseconds(40))
  }

  private static let noisy = {
    var take = Take(until: 1.9) { script in
      let load = script.place(Grams(73), at: .seconds(0.2))
      script.remove(load, at: .seconds(1.7))
    }
    take.physics = .typical
    return take
  }()
}
