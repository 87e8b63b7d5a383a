import Foundation
import Recordings
import TestExtent
import Testing
import Weighing

/// `scale.auto_commit`: each load is recorded once.
@Suite struct AutomaticRecordTests {
  private static func scale(pad: PadDescription? = .slots()) -> HandFedScale {
    var settings = ScaleSettings()
    settings.scale.commitsAutomatically = true
    return HandFedScale(settings, pad: pad)
  }

  @Test func eachLoadIsRecordedOnceWhenItRests() {
    var scale = Self.scale()
    for counts in [200, 300, 80] {
      scale.hold(Double(counts), for: .seconds(3))
      scale.settle(counts + 40)
      scale.frame()
      scale.wait(.milliseconds(100))
    }
    let effects = scale.take()
    let recorded = effects.nets
    #expect(recorded.count == 3)
    for (recorded, counts) in zip(recorded, [200, 300, 80]) { #expect((recorded - counts / 2).magnitude <= 1) }
    #expect(effects.drafts.allSatisfy { $0.request.source == .auto && $0.label == nil })
  }

  @Test func aLoadThatLiesThereAtTheStartIsNotRecorded() {
    var scale = Self.scale(pad: nil)
    scale.handle(.padFound(.slots()))
    scale.frame(200, gap: true)
    scale.wait(.seconds(1))
    scale.handle(.padLost("unplugged"))
    scale.handle(.padFound(.slots()))
    scale.frame(200, gap: true)
    scale.wait(.seconds(1))
    #expect(scale.take().drafts.isEmpty)
    scale.frame()
    scale.settle(200)
    #expect(scale.take().nets == [100])
  }

  /// A recording may begin with the touch-down of its first load.
  @Test func aLoadWhoseTouchDownIsTheFirstFrameIsRecorded() {
    var scale = Self.scale(pad: nil)
    scale.handle(.padFound(.slots()))
    scale.settle(200)
    #expect(scale.take().nets == [100])
  }

  @Test func aFingerAndATaredContainerAreNotRecorded() throws {
    var scale = Self.scale()
    let jug = try ContainerTests.name("jug")
    scale.change {
      $0.recognisesContainers = true
      $0.containers = [Container(name: jug, tare: Grams(100))]
    }
    scale.settle(2)
    scale.settle(200)
    #expect(scale.reading.instruments?.container == jug)
    #expect(scale.take().drafts.isEmpty, "the net is zero")
    scale.settle(260)
    scale.settle(300)
    #expect(scale.take().nets == [30], "what was filled in, once")
  }

  @Test func nothingIsRecordedUnlessItIsConfigured() {
    var scale = HandFedScale()
    for _ in 0..<3 {
      scale.settle(200)
      scale.frame()
      scale.wait(.seconds(1))
    }
    #expect(scale.take().drafts.isEmpty)
  }
}

/// Loads that are put down by hand, slower or quicker, on a converter: each is recorded once and right, and nothing else is.
@Suite struct LoadsPutDownTests {
  /// A load that rises from 0 within a time, as a hand lets it down: slowly at first and at last.
  private func share(_ time: Double, of duration: Double) -> Double {
    let x = min(max(time / duration, 0), 1)
    return x * x * (3 - 2 * x)
  }

  @Test(arguments: 0..<UInt64(Extent.isFull ? 400 : 12)) func eachIsRecordedOnceAndRight(_ batch: UInt64) throws {
    var random = SplitMix64(seed: batch)
    let rate = [10.0, 80][Int(batch % 2)], minimum = [0, 0.2, 2][Int(batch / 2 % 3)]
    let noise = [0.01, 0.03, 0.1][Int.random(in: 0..<3, using: &random)]
    let isRecognised = batch % 5 == 0
    let jug = try ContainerTests.name("jug"), least = max(2.5, 3 * minimum, 30 * noise)
    let usual = least + 300 * random.unit()
    var cell = try CellScale(.averaged, rate: rate, division: 0.1, seed: batch) {
      $0.scale.minimum = Grams(minimum)
      $0.stability.motion = Grams([0.5, 1][Int.random(in: 0..<2, using: &random)])
      $0.scale.commitsAutomatically = !isRecognised
      $0.recognisesContainers = isRecognised
      $0.containers = [Container(name: jug, tare: Grams(usual))]
    }
    cell.noise = noise
    cell.hold(0, for: 8)
    _ = cell.take()
    for _ in 0..<25 {
      let load = isRecognised ? usual : least + 300 * random.unit() * random.unit()
      let duration = 0.05 * exp2(5.32 * random.unit())
      let begin = cell.time
      while cell.time < begin + duration + 4 { cell.sample(load * share(cell.time - begin, of: duration)) }
      let end = cell.time
      while cell.time < end + 3 { cell.sample(load * (1 - share(cell.time - end, of: 0.4))) }
      let effects = cell.take()
      let what: Comment = "seed \(batch), rate \(rate), minimum \(minimum), noise \(noise), \(duration) s: \(load)"
      let found = isRecognised ? effects.tareMasses : effects.recordedMasses
      #expect(found.count == 1 && (found[0] - load).magnitude <= 0.15 + 4 * noise, "\(what): \(found)")
      if isRecognised { cell.ask(.clearTare) }
    }
  }
}
