import Testing
import Weighing

/// Targets: the comparison, the event, and what a person gets to hear.
@Suite struct TargetTests {
  private static func ask(_ target: Double?, tolerance: Double? = nil) -> ScaleMachine.Input {
    let parameters = target.map {
      ActionArguments.target(Target(mass: Grams($0), tolerance: tolerance.map { Grams($0) }))
    }
    return .request(ActionRequest(action: .target, parameters: parameters ?? .none, source: .mqtt))
  }

  struct Comparison: CustomTestStringConvertible {
    var target: Double
    var tolerance: Double?
    var net: Int
    var remaining: Double
    var check: TargetProgress.Check
    var testDescription: String { "\(net) g of \(target) g ± \(tolerance.map { "\($0)" } ?? "a division")" }
  }

  @Test(arguments: [
    Comparison(target: 18, tolerance: 0.5, net: 17, remaining: 1, check: .under),
    Comparison(target: 18, tolerance: 0.5, net: 18, remaining: 0, check: .ok),
    Comparison(target: 18, tolerance: 0.5, net: 19, remaining: -1, check: .over),
    Comparison(target: 18, tolerance: nil, net: 17, remaining: 1, check: .ok),
    Comparison(target: 18, tolerance: nil, net: 16, remaining: 2, check: .under),
    Comparison(target: 100, tolerance: 5, net: 105, remaining: -5, check: .ok),
    Comparison(target: 100, tolerance: 5, net: 106, remaining: -6, check: .over),
    Comparison(target: 100, tolerance: 0, net: 100, remaining: 0, check: .ok),
    Comparison(target: 18.3, tolerance: 0.1, net: 18, remaining: 0.3, check: .ok),
    Comparison(target: 18.3, tolerance: 0.1, net: 19, remaining: -0.7, check: .over),
  ])
  func comparesTheDisplayedNet(_ expected: Comparison) throws {
    var scale = HandFedScale()
    scale.handle(Self.ask(expected.target, tolerance: expected.tolerance))
    scale.settle(2 * expected.net)
    let progress = try #require(scale.reading.instruments?.target)
    #expect(progress.mass == Grams(expected.target) && progress.check == expected.check)
    #expect(try (#require(progress.remaining).value - expected.remaining).magnitude < 1e-9)
  }

  @Test func thereIsNoComparisonWithoutANet() {
    var scale = HandFedScale()
    scale.handle(Self.ask(18))
    #expect(scale.reading.instruments?.target?.check == .under, "an empty scale")
    scale.settle(1000)
    #expect(scale.reading.isOverloaded && scale.reading.instruments?.target?.check == nil)
    #expect(scale.reading.instruments?.target?.remaining == nil)
    scale.handle(.padLost("unplugged"))
    #expect(scale.reading.instruments?.target?.mass == Grams(18))
    scale.handle(Self.ask(nil))
    #expect(scale.reading.instruments == nil)
  }

  @Test func aTargetAboveTheCapacityIsRejected() {
    var scale = HandFedScale()
    scale.handle(Self.ask(20))
    scale.handle(Self.ask(386))
    #expect(scale.take().rejections == [nil, .badPayload])
    #expect(scale.reading.instruments?.target?.mass == Grams(20), "nothing has changed")
  }

  private static func isReached(_ kind: ScaleEvent.Kind) -> Bool {
    if case .targetReached = kind { true } else { false }
  }

  private static func reached(_ effects: [Effect]) -> Int { effects.events.filter(isReached).count }

  @Test func theEventIsSentOnceUntilTheScaleWasAtZero() {
    var scale = HandFedScale()
    scale.handle(Self.ask(50, tolerance: 2))
    _ = scale.take()
    for net in [20, 40, 49, 47, 50, 70, 30, 50] { scale.settle(2 * net) }
    var effects = scale.take()
    #expect(Self.reached(effects) == 1)
    let feedback = effects.compactMap { if case .feedback(let feedback, _) = $0 { feedback } else { nil } }
    #expect(feedback == [.reached])
    scale.frame()
    scale.wait(.milliseconds(500))
    scale.settle(100)
    #expect(Self.reached(scale.take()) == 1, "after a release")
    scale.ask(.tare)
    scale.settle(100)
    scale.settle(200)
    effects = scale.take()
    #expect(Self.reached(effects) == 1, "after a tare")
  }

  /// A target of 1 g with the usual tolerance of a division is within it on the empty scale already.
  @Test func anEmptyScaleDoesNotReachATarget() {
    var scale = HandFedScale()
    scale.handle(Self.ask(20, tolerance: 20))
    #expect(scale.reading.instruments?.target?.check == .ok)
    scale.wait(.seconds(3))
    #expect(Self.reached(scale.take()) == 0)
    scale.settle(20)
    scale.wait(.seconds(3))
    #expect(Self.reached(scale.take()) == 1)
    scale.frame()
    scale.wait(.seconds(3))
    #expect(Self.reached(scale.take()) == 0)
  }

  /// On a silent pad only the deadline shows that the net has stayed.
  @Test func aTapIsNotTheTarget() {
    var scale = HandFedScale()
    scale.handle(Self.ask(50, tolerance: 2))
    scale.settle(60)
    for _ in 0..<20 {
      scale.frame(100)
      scale.wait(.milliseconds(120))
      scale.frame(60)
      scale.wait(.milliseconds(300))
    }
    #expect(Self.reached(scale.take()) == 0)
    scale.frame(100)
    scale.wait(.milliseconds(600))
    #expect(Self.reached(scale.take()) == 1)
  }

  @Test func aTargetIsReachedAtOnceByAFittingLoadAndNotByAHeavierOne() {
    var scale = HandFedScale()
    scale.settle(100)
    scale.handle(Self.ask(50))
    scale.wait(.milliseconds(300))
    #expect(Self.reached(scale.take()) == 1)
    scale.handle(Self.ask(20))
    scale.wait(.milliseconds(2000))
    #expect(Self.reached(scale.take()) == 0, "a cup is on the scale, and tare comes next")
    scale.ask(.tare)
    scale.settle(140)
    #expect(Self.reached(scale.take()) == 1)
  }

  @Test func aChangeOfTheCheckIsPublished() {
    var scale = HandFedScale()
    scale.settle(100)
    scale.wait(.seconds(2))
    _ = scale.take()
    scale.handle(Self.ask(80))
    scale.wait(.milliseconds(1500))
    let effects = scale.take()
    #expect(effects.live.first?.instruments?.target?.check == .under)
    #expect(effects.readings.first?.instruments?.target?.check == .under)
  }

  @Test func aQuickActionWithATargetAboveTheCapacityChangesNothing() {
    var scale = HandFedScale()
    scale.change {
      $0.quickActions = [
        QuickAction(
          type: "heavy", title: "Heavy", run: .tare, userInfo: [.init(name: "target_g", value: .number(386))])
      ]
    }
    scale.settle(200)
    _ = scale.take()
    scale.handle(.request(ActionRequest(name: "heavy", source: .mqtt)))
    #expect(scale.take().rejections == [.badPayload])
    #expect(scale.reading.tare.steps == 0 && scale.reading.tareEpoch == 0)
  }

  @Test func theTargetOfAQuickActionIsComparedWithTheNetAfterIt() {
    var scale = HandFedScale()
    scale.change {
      $0.quickActions = [
        QuickAction(
          type: "pour", title: "Pour", run: .tare,
          userInfo: [.init(name: "tare_g", value: .number(80)), .init(name: "target_g", value: .number(36))])
      ]
    }
    scale.settle(200)
    scale.handle(.request(ActionRequest(name: "pour", source: .mqtt)))
    #expect(scale.reading.instruments?.target?.check == .under)
    scale.settle(232)
    #expect(Self.reached(scale.take()) == 1)
  }

  @Test func aQuickActionCarriesATarget() {
    var scale = HandFedScale()
    let target = [
      QuickAction.Parameter(name: "target_g", value: .number(36)), .init(name: "tolerance_g", value: .number(1)),
    ]
    scale.change {
      $0.quickActions = [
        QuickAction(type: "espresso", title: "Espresso", run: .tare, userInfo: target),
        QuickAction(type: "filter", title: "Filter", run: .target, userInfo: target),
        QuickAction(
          type: "wrong", title: "Wrong", run: .target, userInfo: [.init(name: "target_g", value: .flag(true))]),
      ]
    }
    _ = scale.take()
    scale.handle(.request(ActionRequest(name: "espresso", source: .mqtt)))
    #expect(scale.take().rejections == [.empty] && scale.reading.instruments == nil, "tare was rejected")
    scale.settle(200)
    scale.handle(.request(ActionRequest(name: "espresso", source: .mqtt)))
    #expect(scale.reading.tare.steps == 100 && scale.reading.instruments?.target?.mass == Grams(36))
    #expect(scale.reading.instruments?.target?.check == .under)
    scale.handle(Self.ask(nil))
    scale.handle(.request(ActionRequest(name: "filter", source: .button)))
    #expect(scale.reading.instruments?.target?.tolerance == Grams(1))
    scale.handle(.request(ActionRequest(name: "wrong", source: .button)))
    #expect(scale.take().rejections == [nil, nil, nil, .badPayload])
  }
}
