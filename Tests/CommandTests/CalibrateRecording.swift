import Foundation

/// A recording of masses that are put on a pad one after the other, in evemu's text format.
///
/// The pad has one axis, ABS_PRESSURE 0...1023, with the curve of a resistive divider up to 420 g and a noise of about one
/// count. The pad is empty for six seconds before and after each mass, which stays for eight seconds.
struct CalibrateRecording {
  /// The masses in grams, in order.
  var masses: [Double]
  /// Relative increase of the counts of a constant mass per second.
  var drift = 0.0
  /// How long a mass stays on the pad, in seconds.
  var rest = 8.0
  /// Grams per second that are added to a mass.
  var pour = 0.0

  /// The masses of a whole guided calibration: the first is measured again at the end.
  static let guided = CalibrateRecording(masses: [50, 100, 200, 300, 380, 50])

  /// The counts of a mass, without noise.
  static func counts(_ grams: Double) -> Double {
    let force = grams / 420
    return 1.6 * force / (1 + 0.6 * force) * 1023
  }

  var text: String {
    var text = "N: Test Pad\nI: 0003 1209 0001 0001\nA: 18 0 1023 0 0 0\n"
    var last = -1
    func add(_ counts: Int, at time: Double) {
      guard counts != last else { return }
      last = counts
      let stamp = String(format: "%.6f", time)
      text += "E: \(stamp) 0003 0018 \(counts)\nE: \(stamp) 0000 0000 0000\n"
    }
    var noise = 1
    add(0, at: 0.000001)
    var time = 6.0
    for mass in masses {
      for sample in 0..<Int(rest * 50) {
        // A small linear congruential generator: three values of noise, the same on every day.
        noise = (noise * 1_103_515_245 + 12345) & 0x7fff_ffff
        let now = time + Double(sample) / 50
        let load = mass + pour * Double(sample) / 50
        let exact = Self.counts(load) * (1 + drift * now)
        add(max(Int((exact + Double(noise >> 16 & 3) - 1.5).rounded()), 1), at: now)
      }
      time += rest
      add(0, at: time)
      time += 6
    }
    last = -1
    add(0, at: time)
    return text
  }
}
