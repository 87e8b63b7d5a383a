import Testing
import Weighing

/// Commit, void and named actions: recorded once, or refused with a reason and nothing changed.
@Suite struct CommitTests {
  static func record(_ draft: WeighingDraft, sequence: Int, voids: WeighingID? = nil) -> RecordedWeighing {
    let nothing = DisplayedMass(steps: 0, division: .gram)
    var measurement = Measurement(gross: nothing, tare: nothing, net: nothing, uncertainty: nil, calibration: .kernel)
    if case .weighing(let weighed) = draft.kind { measurement = weighed }
    return RecordedWeighing(
      id: WeighingID(time: draft.time, randomness: (0, UInt64(sequence))), sequence: sequence, time: draft.time,
      measurement: measurement, label: draft.label, source: draft.request.source, calibrationCounter: 1,
      configurationHash: "", voids: voids)
  }

  /// What a journal makes of a draft: every third second it fails.
  static func outcome(_ draft: WeighingDraft, shift: Interval = .zero) -> RecordOutcome {
    var unshifted = draft
    unshifted.time = draft.time + Interval(nanoseconds: -shift.nanoseconds)
    if unshifted.time.nanoseconds / 1_000_000_000 % 3 == 0 {
      return RecordOutcome(draft: draft, result: .failure(.journalUnavailable))
    }
    let other = WeighingID(time: unshifted.time, randomness: (1, 1))
    var record = record(unshifted, sequence: 1)
    switch draft.kind {
    case .weighing: break
    case .void: record.voids = other
    case .relabel: record.amends = other
    }
    record.time = draft.time
    return RecordOutcome(draft: draft, result: .success(record))
  }

  @Test func aCommitIsDoneWhenItIsRecorded() throws {
    var scale = HandFedScale()
    scale.settle(200)
    scale.ask(.tare)
    scale.settle(300)
    _ = scale.take()
    let request = ActionRequest(action: .commit, label: "beans", source: .mqtt, identifier: 5)
    scale.handle(.request(request))
    var effects = scale.take()
    let draft = try #require(effects.drafts.first)
    #expect(effects.drafts.count == 1 && effects.results.isEmpty && effects.weighings.isEmpty)
    #expect(draft.request == request && draft.label == "beans" && draft.time == scale.now)
    guard case .weighing(let measurement) = draft.kind else { throw Unexpected.kind }
    #expect(measurement.gross.steps == 150 && measurement.tare.steps == 100 && measurement.net.steps == 50)
    #expect(measurement.uncertainty == scale.reading.uncertainty && measurement.calibration == .kernel)
    #expect(!scale.machine.isAtRest)
    let record = Self.record(draft, sequence: 1)
    scale.handle(.recorded(RecordOutcome(draft: draft, result: .success(record))))
    effects = scale.take()
    #expect(effects.weighings == [record] && effects.rejections == [nil])
    #expect(effects.results.first?.weighing == record && effects.results.first?.request == request)
    #expect(effects.events.isEmpty && scale.machine.isAtRest)
  }

  enum Unexpected: Error { case kind }

  /// What was taken out of a tared container.
  @Test(arguments: [(0, 150), (2, 150), (2, 4), (75, 150)])
  func aNegativeNetIsRecorded(_ minimum: Int, _ countsTaken: Int) throws {
    var settings = ScaleSettings()
    settings.scale.minimum = Grams(Double(minimum))
    var scale = HandFedScale(settings)
    scale.settle(376)
    scale.ask(.tare)
    scale.settle(376 - countsTaken)
    _ = scale.take()
    scale.ask(.commit, identifier: 7)
    let effects = scale.take()
    let draft = try #require(effects.drafts.first)
    guard case .weighing(let measurement) = draft.kind else { throw Unexpected.kind }
    #expect(measurement.tare.steps == 188)
    #expect(measurement.net.steps == -countsTaken / 2 && measurement.gross.steps == 188 - countsTaken / 2)
    #expect(effects.results.isEmpty && effects.events.isEmpty)
  }

  @Test func aJournalThatFailsIsARejection() throws {
    var scale = HandFedScale()
    scale.settle(200)
    scale.ask(.commit, identifier: 5)
    let draft = try #require(scale.take().drafts.first)
    scale.handle(.recorded(RecordOutcome(draft: draft, result: .failure(.journalUnavailable))))
    let effects = scale.take()
    #expect(effects.rejections == [.journalUnavailable] && effects.weighings.isEmpty)
    #expect(effects.events == [.rejected("commit", .journalUnavailable, .journalUnavailable)])
  }

  @Test func aVoidNeedsNoPad() throws {
    var scale = HandFedScale(pad: nil)
    scale.ask(.void)
    let draft = try #require(scale.take().drafts.first)
    #expect(draft.kind == .void(.last))
    let struck = WeighingID(time: scale.now, randomness: (1, 1))
    let record = Self.record(draft, sequence: 2, voids: struck)
    scale.handle(.recorded(RecordOutcome(draft: draft, result: .success(record))))
    let effects = scale.take()
    #expect(effects.weighings == [record] && effects.events == [.voided(struck)] && effects.rejections == [nil])
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var reason: Rejection
    var prepare: @Sendable (inout HandFedScale) -> Void
  }

  @Test(arguments: [
    Refusal(testDescription: "nothing", reason: .empty) { _ in },
    Refusal(testDescription: "1 g of 2 g", reason: .belowMinimum) { $0.settle(2) },
    Refusal(testDescription: "1 g taken out, of 2 g", reason: .belowMinimum) {
      $0.settle(300)
      $0.ask(.tare)
      $0.settle(298)
    },
    Refusal(testDescription: "overload", reason: .overload) { $0.settle(900) },
    Refusal(testDescription: "no pad", reason: .padMissing) {
      $0.settle(200)
      $0.handle(.padLost("unplugged"))
    },
  ])
  func whatCannotBeRecorded(_ refusal: Refusal) throws {
    var scale = HandFedScale()
    refusal.prepare(&scale)
    _ = scale.take()
    scale.ask(.commit, identifier: 7)
    let effects = scale.take()
    #expect(effects.rejections == [refusal.reason] && effects.drafts.isEmpty)
    let detail = try #require(effects.results.first?.detail)
    #expect(effects.events == [.rejected("commit", refusal.reason, detail)])
    scale.wait(.seconds(5))
    let later = scale.take()
    #expect(later.results.isEmpty && later.drafts.isEmpty)
  }

  /// The net as it is displayed decides: 1.5 g are 2 g.
  @Test(arguments: [(3, false), (4, true)])
  func theRoundedNetIsHeldAgainstTheMinimum(_ counts: Int, _ isEnough: Bool) throws {
    let tenth = try curve(.linear, [(0, 0), (1000, 400)])
    var scale = HandFedScale()
    scale.change { $0.curve = tenth }
    scale.settle(counts)
    scale.wait(.seconds(2))
    _ = scale.take()
    scale.ask(.commit)
    #expect(scale.take().nets == (isEnough ? [2] : []))
  }

  @Test func whatIsNeverAtRestIsRefused() {
    var scale = HandFedScale()
    scale.frame(100)
    let asked = scale.now
    scale.ask(.commit)
    for index in 0..<50 { scale.hold(index % 2 == 0 ? 100 : 300, for: .milliseconds(64)) }
    let effects = scale.take()
    #expect(effects.rejections == [.unstable] && effects.drafts.isEmpty)
    #expect(effects.results.first?.time == asked + .seconds(2))
  }

  @Test(arguments: [Action.commit, .tare, .zero, .clearTare, .void, .relabel])
  func anExpiredRequestIsNotDone(_ action: Action) {
    var scale = HandFedScale()
    scale.settle(200)
    _ = scale.take()
    scale.handle(.request(ActionRequest(name: action.rawValue, source: .mqtt, expiry: scale.now)))
    let effects = scale.take()
    #expect(effects.rejections == [.expired] && effects.drafts.isEmpty && effects.tares.isEmpty)
    scale.handle(.replaceActions([], ActionRequest(name: "actions", source: .mqtt, expiry: scale.now)))
    #expect(scale.take().rejections == [.expired])
  }

  /// What is under the minimum takes three times as long to be stable: it is not recorded before that.
  @Test func nextToNothingIsRecordedOnlyWhenStable() throws {
    var scale = HandFedScale()
    scale.frame(3)
    scale.ask(.commit)
    scale.wait(.seconds(2))
    let effects = scale.take()
    #expect(effects.nets == [2])
    #expect(scale.reading.isStable)
    guard case .weighing(let measurement) = try #require(effects.drafts.first).kind else { throw Unexpected.kind }
    #expect(measurement.uncertainty != nil)
  }

  @Test func aRequestExpiresWhileItWaits() {
    var scale = HandFedScale()
    scale.frame(200)
    let expiry = scale.now + .milliseconds(100)
    scale.handle(.request(ActionRequest(name: "commit", source: .mqtt, expiry: expiry)))
    scale.wait(.seconds(1))
    let effects = scale.take()
    #expect(effects.rejections == [.expired] && effects.results.first?.time == expiry)
  }

  @Test func unknownNames() {
    var scale = HandFedScale()
    _ = scale.take()
    for name in ["beans", "", "Commit", "actions"] {
      scale.handle(.request(ActionRequest(name: name, source: .mqtt)))
      let effects = scale.take()
      #expect(effects.rejections == [.unknownAction])
      let detail = RejectionDetail.unknownAction(name, known: Action.allCases.map(\.rawValue))
      #expect(effects.events == [.rejected(name, .unknownAction, detail)])
    }
  }

  /// At the start and before the pad is found: each once, in order.
  @Test(arguments: [false, true])
  func requestsWaitForThePad(_ isAnnouncedMissing: Bool) {
    var scale = HandFedScale(pad: nil)
    scale.handle(.request(ActionRequest(action: .tare, source: .start, identifier: 1)))
    if isAnnouncedMissing { scale.handle(.padLost("none yet")) }
    scale.handle(.request(ActionRequest(action: .commit, label: "x", source: .mqtt, identifier: 2)))
    scale.wait(.milliseconds(isAnnouncedMissing ? 1500 : 60_000))
    #expect(scale.take().results.isEmpty)
    scale.handle(.padFound(.slots()))
    scale.frame(200)
    scale.wait(.seconds(5))
    let effects = scale.take()
    #expect(effects.tares == [100])
    #expect(effects.results.map(\.request.identifier) == [1, 2])
    #expect(effects.rejections == [nil, .belowMinimum], "the net is nothing after the tare")
  }

  @Test func withoutAPadTheyAreRefusedInTime() {
    var scale = HandFedScale(pad: nil)
    scale.handle(.request(ActionRequest(action: .commit, source: .start, identifier: 1)))
    scale.wait(.seconds(1))
    scale.handle(.padLost("none"))
    let told = scale.now
    scale.wait(.seconds(60))
    let effects = scale.take()
    #expect(effects.rejections == [.padMissing] && effects.results.first?.time == told + .seconds(2))
  }

  /// A disk that hangs does not grow a queue without end.
  @Test func soManyRecordsAtATime() throws {
    var scale = HandFedScale()
    scale.settle(200)
    _ = scale.take()
    for index in 1...66 { scale.ask(.commit, identifier: UInt64(index)) }
    let effects = scale.take()
    #expect(effects.drafts.count == 64)
    #expect(effects.results.map(\.request.identifier) == [65, 66])
    #expect(effects.rejections == [.journalUnavailable, .journalUnavailable])
    let draft = try #require(effects.drafts.first)
    scale.handle(.recorded(RecordOutcome(draft: draft, result: .failure(.journalUnavailable))))
    scale.ask(.commit)
    #expect(scale.take().drafts.count == 1)
  }

  @Test func quickActionsAreReplacedAndComeBack() {
    let own = QuickAction(type: "beans", title: "Beans", run: .tare)
    let other = QuickAction(type: "rice", title: "Rice", userInfo: [.init(name: "label", value: .text("rice"))])
    var settings = ScaleSettings()
    settings.quickActions = [own]
    var scale = HandFedScale(settings)
    scale.settle(200)
    _ = scale.take()
    func ask(_ name: String, label: String? = nil) -> [Effect] {
      scale.handle(.request(ActionRequest(name: name, label: label, source: .dashboard)))
      return scale.take()
    }
    scale.handle(.replaceActions([other], ActionRequest(name: "actions", source: .mqtt)))
    #expect(scale.take().contains(.actions([other], at: scale.now)))
    #expect(ask("beans").rejections == [.unknownAction])
    #expect(ask("rice").drafts.map(\.label) == ["rice"])
    #expect(ask("rice", label: "brown").drafts.map(\.label) == ["brown"], "the request's label comes first")
    scale.change { $0.publish.heartbeat = .seconds(9) }
    #expect(ask("rice").drafts.count == 1, "another setting leaves them")
    scale.change { $0.quickActions = [] }
    #expect(ask("rice").rejections == [.unknownAction])
    scale.change { $0.quickActions = [own] }
    #expect(ask("beans").tares == [100])
  }
}
