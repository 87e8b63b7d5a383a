import Foundation
import Recordings
import TestExtent
import Testing
import Weighing

/// A contact that appears or leaves is another load at once, whatever the noise.
@Suite struct ContactChangeTests {
  /// Loads on a pad with noise on each contact, put on and taken off one by one.
  private struct Handled {
    var scale = HandFedScale()
    var random: SplitMix64
    /// One standard deviation of a contact in counts, of which two are a gram.
    let noise: Double
    private(set) var loads: [(serial: UInt64, grams: Double)] = []
    private var serial: UInt64 = 0

    init(noise: Double, seed: UInt64) {
      self.noise = noise * 2
      random = SplitMix64(seed: seed)
    }

    var truth: Double { loads.reduce(0) { $0 + $1.grams } }

    mutating func putOn(_ grams: Double) {
      serial += 1
      loads.append((serial, grams))
    }

    mutating func takeOff() { loads.remove(at: Int.random(in: loads.indices, using: &random)) }

    mutating func frame() {
      let middle = Position(x: 0.5, y: 0.5)
      let contacts = loads.map { load in
        let counts = max(Int((2 * load.grams + noise * random.gaussian()).rounded()), 1)
        return Contact(serial: load.serial, position: middle, origin: middle, raw: RawForce(counts), isAtMaximum: false)
      }
      scale.frame(contacts)
    }
  }

  /// At random moments something is put on or taken off, and a commit is requested: what is recorded lies there, and nothing stable is
  /// that of before.
  ///
  /// At full extent these are more than 3,000 minutes.
  @Test(arguments: 0..<UInt64(Extent.isFull ? 700 : 10)) func nothingIsRecordedThatHasLeft(_ batch: UInt64) {
    for index in 0..<10 {
      var pad = Handled(noise: Double(index % 4) * 0.5, seed: batch * 10 + UInt64(index))
      for _ in 0..<60 {
        let (before, hasChanged) = (pad.truth, Int.random(in: 0..<10, using: &pad.random) > 0)
        if hasChanged {
          if pad.loads.isEmpty || pad.loads.count < 4 && Bool.random(using: &pad.random) {
            pad.putOn(8 + 60 * pad.random.unit())
          } else {
            pad.takeOff()
          }
          pad.frame()
          let reading = pad.scale.reading
          #expect(!reading.isStable, "\(before) g, and \(pad.truth) g now")
        }
        let commit = Int.random(in: 0..<100, using: &pad.random)
        for frame in 0..<Int.random(in: 1..<120, using: &pad.random) {
          pad.scale.wait(.milliseconds(8))
          if frame == commit { pad.scale.ask(.commit) }
          // evdev sends nothing for a load without noise.
          if pad.noise > 0 { pad.frame() }
          let effects = pad.scale.take()
          for draft in effects.drafts {
            guard case .weighing(let weighing) = draft.kind else { continue }
            let limit = max(5 * (weighing.uncertainty?.value ?? 0), 1)
            #expect((weighing.net.mass.value - pad.truth).magnitude <= limit, "\(before) g, and \(pad.truth) g now")
          }
          for reading in effects.settled {
            #expect(
              ((reading.highResolution?.value ?? 0) - pad.truth).magnitude
                <= max(5 * (reading.uncertainty?.value ?? 0), 1))
          }
        }
      }
    }
  }
}
