import Linux
import Recordings
import Synchronization
import Testing
import Weighing

@testable import Appliance

/// The simulated pad that users of the page move.
struct InteractivePadTests {
  private final class Seen: Sendable {
    let states = Mutex<[InteractivePad.State]>([])
  }

  private let seen = Seen()
  private let start = Instant(nanoseconds: 5_000_000_000)

  private func pad() -> InteractivePad {
    InteractivePad { [seen] state in seen.states.withLock { $0.append(state) } }
  }

  private func touch(_ pad: InteractivePad, _ text: String, at time: Instant) -> Sentence? {
    pad.set(Array(text.utf8), at: time)
  }

  @Test func aTouchStopsTheScriptForAMinute() {
    let pad = pad()
    #expect(pad.state(at: start).isScripted)
    #expect(touch(pad, #"{"loads": [{"id": 3, "mass_g": 50, "x": 0.25, "y": 0.5}], "noise_g": 1.5}"#, at: start) == nil)
    let state = pad.state(at: start + .seconds(60))
    #expect(!state.isScripted && state.isPlugged)
    #expect(state.loads.loads == [.init(id: 3, mass: Grams(50), position: Position(x: 0.25, y: 0.5))])
    #expect(state.loads.noise == Grams(1.5))
    #expect(pad.state(at: start + .milliseconds(60_001)) == InteractivePad.State())
    #expect(seen.states.withLock { $0.map(\.isScripted) } == [false, true])
  }

  /// A calibration puts the script aside, and keeps it away until a minute after its end.
  @Test func theScriptWaitsForACalibration() {
    let isHeld = Mutex(true)
    let pad = InteractivePad(isHeld: { isHeld.withLock { $0 } }, onChange: { _ in })
    #expect(!pad.state(at: start).isScripted)
    #expect(pad.state(at: start).loads.loads.isEmpty)
    #expect(touch(pad, #"{"scripted": true}"#, at: start + .seconds(1)) == nil)
    for second in 1..<300 { #expect(!pad.state(at: start + .seconds(Double(second))).isScripted) }
    isHeld.withLock { $0 = false }
    #expect(!pad.state(at: start + .seconds(350)).isScripted)
    #expect(pad.state(at: start + .seconds(362)).isScripted)
  }

  /// A page that was closed does not lift its finger.
  @Test func aFingerIsLiftedAfterTwoSeconds() {
    let pad = pad()
    let press = #"{"finger": {"force_g": 180, "x": 0.95, "y": 0.5}, "plugged": false}"#
    #expect(touch(pad, press, at: start) == nil)
    #expect(pad.state(at: start + .seconds(2)).loads.finger?.force == Grams(180))
    #expect(touch(pad, press, at: start + .seconds(2)) == nil)
    #expect(pad.state(at: start + .milliseconds(3999)).loads.finger != nil)
    let later = pad.state(at: start + .milliseconds(4001))
    #expect(later.loads.finger == nil)
    #expect(!later.isPlugged && !later.isScripted)
    #expect(seen.states.withLock { $0.count } == 2)
  }

  @Test func theScriptResumesWhenAsked() {
    let pad = pad()
    #expect(touch(pad, "{}", at: start) == nil)
    #expect(!pad.state(at: start).isScripted)
    #expect(touch(pad, #"{"scripted": true}"#, at: start) == nil)
    #expect(pad.state(at: start).isScripted)
  }

  @Test(arguments: [
    "", "[]", "{", "{\"load\": []}", "{\"loads\": {}}", "{\"plugged\": 1}", "{\"noise_g\": -1}", "{\"noise_g\": \"1\"}",
    #"{"loads": [{"id": 1, "mass_g": 5001, "x": 0, "y": 0}]}"#,
    #"{"loads": [{"id": 1.5, "mass_g": 1, "x": 0, "y": 0}]}"#,
    #"{"loads": [{"id": 1e30, "mass_g": 1, "x": 0, "y": 0}]}"#,
    #"{"loads": [{"id": 1, "mass_g": 1, "x": 1.01, "y": 0}]}"#,
    #"{"loads": [{"id": 1, "mass_g": 1, "x": 0}]}"#, #"{"loads": [1]}"#,
    #"{"finger": {"force_g": 1e9, "x": 0, "y": 0}}"#,
    #"{"loads": [{"id": 1, "mass_g": 1, "x": 0, "y": 0}, {"id": 1, "mass_g": 1, "x": 0, "y": 0}]}"#,
  ])
  func refuses(_ text: String) {
    let pad = pad()
    #expect(touch(pad, text, at: start) != nil)
    #expect(pad.state(at: start) == InteractivePad.State())
  }

  @Test func refusesMoreThanSixteenLoads() {
    let pad = pad()
    func loads(_ count: Int) -> String {
      let list = (1...count).map { #"{"id": \#($0), "mass_g": 1, "x": 0, "y": 0}"# }
      return "{\"loads\": [\(list.joined(separator: ","))]}"
    }
    #expect(touch(pad, loads(16), at: start) == nil)
    #expect(touch(pad, loads(17), at: start) != nil)
    #expect(pad.state(at: start).loads.loads.count == 16)
  }

  @Test func theStateIsTheBodyOfARequest() throws {
    let pad = pad()
    let text =
      #"{"scripted":false,"plugged":true,"noise_g":0.5,"loads":[{"id":7,"mass_g":20,"x":0.5,"y":0.25}],"finger":{"force_g":100,"x":0.1,"y":0.9}}"#
    #expect(touch(pad, text, at: start) == nil)
    #expect(String(decoding: pad.state(at: start).json, as: UTF8.self) == text)
    #expect(
      String(decoding: InteractivePad.State().json, as: UTF8.self)
        == #"{"scripted":true,"plugged":true,"noise_g":0,"loads":[],"finger":null}"#)
  }

  /// Real time: the pad weighs what is put on it, vanishes when it is unplugged and returns with its load.
  @Test func theSourceFollows() throws {
    let pad = pad()
    var physics = PadPhysics.ideal
    physics.axisMaximum = 4200
    var now = start
    let source = try SimulatedPadSource(
      SimulatedPad(physics, script: LoadScript(), start: start), .init(), hands: pad)
    var raw = 0
    var told: [String] = []
    func run(_ time: Interval) {
      let end = now + time
      while now < end {
        now = now + .milliseconds(8)
        source.process(at: now) { event in
          switch event {
          case .frame(let frame): raw = frame.raw.counts
          case .found: told.append("found")
          case .lost(let reason): told.append(reason.description)
          default: break
          }
        }
      }
    }
    run(.seconds(1))
    #expect(told == ["found"] && raw == 0)
    #expect(touch(pad, #"{"loads": [{"id": 1, "mass_g": 50, "x": 0.5, "y": 0.5}]}"#, at: now) == nil)
    run(.seconds(1))
    #expect(raw == 500)
    #expect(touch(pad, #"{"loads": [{"id": 1, "mass_g": 80, "x": 0.5, "y": 0.5}], "plugged": false}"#, at: now) == nil)
    run(.seconds(1))
    #expect(told == ["found", "the simulated pad was unplugged in the page"])
    #expect(raw == 500, "it is not heard")
    #expect(touch(pad, #"{"loads": [{"id": 1, "mass_g": 80, "x": 0.5, "y": 0.5}]}"#, at: now) == nil)
    run(.seconds(1))
    #expect(told.last == "found" && told.count == 3)
    #expect(raw == 800)
    run(.seconds(61))
    #expect(raw == 0, "the script, which is empty, has returned")
  }
}
