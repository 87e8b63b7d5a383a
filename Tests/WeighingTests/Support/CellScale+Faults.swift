import Testing
import Weighing

/// A load cell whose input fails: of 400 counts a gram on 24 bits, with white noise.
extension CellScale {
  static func faulty(
    _ isConverter: Bool, rate: Double, noise: Double, seed: UInt64, _ change: (inout ScaleSettings) -> Void = { _ in }
  ) throws -> CellScale {
    var cell = try CellScale(
      .white, rate: rate, division: 1, isConverter: isConverter, bits: 24, countsPerGram: 400, offset: 1_000_000,
      seed: seed
    ) {
      $0.scale.capacity = Grams(5000)
      $0.stability.motion = Grams(max(1, 4 * noise))
      change(&$0)
    }
    cell.noise = noise
    return cell
  }

  /// Expects a stable reading to be that of the load, once `samples` samples have arrived since it was put on or taken off.
  func expectRight(_ grams: Double, since begin: Double, samples: Double, _ what: Comment) {
    guard reading.isStable, time > begin + samples / rate else { return }
    let limit = 5 * max(reading.uncertainty?.value ?? 0, 0.3)
    #expect((level - grams).magnitude < limit, what)
  }

  /// Expects each load to be recorded once, by itself, and nothing else.
  func expectRecorded(_ loads: [Double], in effects: [Effect], seed: UInt64) {
    #expect(effects.drafts.allSatisfy { $0.request.source == .auto }, "seed \(seed)")
    let recorded = effects.recordedMasses
    #expect(recorded.count == loads.count, "seed \(seed), rate \(rate), noise \(noise): \(recorded) of \(loads)")
    for (recorded, load) in zip(recorded, loads) {
      #expect((recorded - load).magnitude < 1 + 3 * noise, "seed \(seed)")
    }
  }
}

extension PadDescription {
  /// A pad like that of a `CellScale`, but another one.
  static var otherCell: PadDescription {
    PadDescription(
      name: "other cell", axes: [.pressure: AxisRange(minimum: 0, maximum: (1 << 23) - 1)], deliversEverySample: true)
  }
}
