import Testing
import Weighing

/// `scale.auto_commit`: each load is recorded once.
@Suite struct AutomaticRecordTests {
  private static func scale(pad: PadDescription? = .slots()) -> HandFedScale {
    var settings = ScaleSettings()
    settings.commitsAutomatically = true
    return HandFedScale(settings, pad: pad)
  }

  private static func nets(_ effects: [Effect]) -> [Int] {
    effects.drafts.compactMap { if case .weighing(let measurement) = $0.kind { measurement.net.steps } else { nil } }
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
    let recorded = Self.nets(effects)
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
    #expect(Self.nets(scale.take()) == [100])
  }

  /// A recording may begin with the touch-down of its first load.
  @Test func aLoadWhoseTouchDownIsTheFirstFrameIsRecorded() {
    var scale = Self.scale(pad: nil)
    scale.handle(.padFound(.slots()))
    scale.settle(200)
    #expect(Self.nets(scale.take()) == [100])
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
    #expect(Self.nets(scale.take()) == [30], "what was filled in, once")
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
