import Recordings
import Testing
import Weighing

/// Presses while a client asks for the right to act.
@Suite struct PairingPressTests {
  private static let request = PairingRequest(id: 3, name: "phone", address: "192.168.1.7")

  /// A load of 100 g at rest.
  private func scale() -> HandFedScale {
    var scale = HandFedScale()
    scale.settle(200)
    _ = scale.take()
    return scale
  }

  /// The same, with a request that has been shown for two seconds.
  private func askedScale() -> HandFedScale {
    var scale = scale()
    scale.handle(.pairing(.ask(Self.request)))
    scale.wait(.seconds(2))
    return scale
  }

  /// The course of the request.
  private func progress(_ effects: [Effect]) -> [PairingProgress] {
    effects.events.compactMap { event in
      if case .pairing(Self.request, let progress) = event { progress } else { nil }
    }
  }

  @Test func aPressOfTheCommitZoneGrantsAndRecordsNothing() {
    var scale = askedScale()
    for height in [0.8, 0.5] { scale.show(.load(200), .finger(1, at: height)) }
    #expect(progress(scale.take()) == [.requested])
    scale.lift(.load(200))
    scale.wait(.seconds(3))
    let effects = scale.take()
    #expect(progress(effects) == [.granted])
    #expect(effects.drafts.isEmpty && effects.results.isEmpty)
    #expect(effects.feedback.last == .ended)
    // The next press is one for a weighing again.
    for height in [0.8, 0.5] { scale.show(.load(200), .finger(1, at: height)) }
    scale.lift(.load(200))
    #expect(scale.take().nets == [100])
  }

  @Test func theRingSaysWhatThePressIsFor() {
    var scale = askedScale()
    _ = scale.take()
    for height in [0.8, 0.5] { scale.show(.load(200), .finger(1, at: height)) }
    scale.lift(.load(200))
    let gestures = scale.take().gestures
    #expect(gestures.map(\.state) == [.selected, .confirmed, .idle])
    #expect(gestures.allSatisfy { $0.action == PairingRequest.action && $0.preview == nil })
  }

  @Test func anEmptyPadGrantsToo() {
    var scale = HandFedScale()
    scale.handle(.pairing(.ask(Self.request)))
    scale.wait(.seconds(2))
    for height in [0.8, 0.5] { scale.show(.finger(1, at: height)) }
    scale.lift()
    let effects = scale.take()
    #expect(progress(effects) == [.requested, .granted] && effects.results.isEmpty)
  }

  @Test func aButtonForCommitGrants() {
    var scale = askedScale()
    scale.key(.pressed)
    scale.wait(.seconds(3))
    scale.key(.released)
    let effects = scale.take()
    #expect(progress(effects) == [.requested, .granted] && effects.drafts.isEmpty)
  }

  @Test(arguments: ["tare", "beans"])
  func anotherButtonDoesWhatItIsFor(_ action: String) {
    var scale = askedScale()
    scale.change { $0.quickActions = [QuickAction(type: "beans", title: "Beans")] }
    scale.key(.pressed, action: action)
    scale.wait(.seconds(3))
    scale.key(.released, action: action)
    scale.wait(.seconds(1))
    let effects = scale.take()
    #expect(progress(effects) == [.requested])
    #expect(effects.tares == (action == "tare" ? [100] : []) && effects.nets == (action == "tare" ? [] : [100]))
  }

  @Test func addedForceGrants() {
    var (scale, base) = AddedForceTests.loaded(.platter)
    scale.handle(.pairing(.ask(Self.request)))
    scale.wait(.seconds(2))
    scale.press(on: base)
    scale.wait(.seconds(3))
    let effects = scale.take()
    #expect(progress(effects) == [.requested, .granted])
    #expect(effects.drafts.isEmpty && effects.tares.isEmpty)
  }

  @Test func twoPressesOfAddedForceTare() {
    var (scale, base) = AddedForceTests.loaded(.platter)
    scale.handle(.pairing(.ask(Self.request)))
    scale.wait(.seconds(2))
    scale.press(on: base)
    scale.wait(.milliseconds(200))
    scale.press(on: base)
    scale.wait(.seconds(3))
    let effects = scale.take()
    #expect(progress(effects) == [.requested] && effects.tares == [100] && effects.drafts.isEmpty)
  }

  /// A press that was too short does not grant when its time is over.
  @Test func aShortPressOfAddedForceGrantsNothing() {
    var (scale, base) = AddedForceTests.loaded(.platter)
    scale.handle(.pairing(.ask(Self.request)))
    scale.wait(.seconds(2))
    scale.press(on: base, for: .milliseconds(200))
    scale.wait(.seconds(10))
    #expect(progress(scale.take()) == [.requested])
  }

  // MARK: Presses that were not meant for it

  @Test(arguments: [0, 500, 999])
  func aPressThatBeganEarlierRecords(_ milliseconds: Int) {
    var scale = scale()
    if milliseconds == 0 {
      scale.show(.load(200), .finger(1, at: 0.8))
      scale.handle(.pairing(.ask(Self.request)))
    } else {
      scale.handle(.pairing(.ask(Self.request)))
      scale.wait(.milliseconds(milliseconds))
      scale.show(.load(200), .finger(1, at: 0.8))
    }
    scale.wait(.seconds(2))
    scale.show(.load(200), .finger(1, at: 0.5))
    scale.lift(.load(200))
    scale.wait(.seconds(3))
    let effects = scale.take()
    #expect(effects.nets == [100] && progress(effects) == [.requested])
  }

  /// It expires under the finger: the press grants nothing, not even the request of another client, and records nothing.
  @Test func aPressThatEndsTooLateDoesNothing() {
    var scale = askedScale()
    scale.wait(.seconds(57))
    scale.show(.load(200), .finger(1, at: 0.8))
    scale.wait(.seconds(2))
    let other = PairingRequest(id: 4, name: "other", address: "192.168.1.8")
    scale.handle(.pairing(.ask(other)))
    scale.wait(.seconds(2))
    scale.show(.load(200), .finger(1, at: 0.5))
    scale.lift(.load(200))
    scale.wait(.seconds(3))
    let effects = scale.take()
    #expect(progress(effects) == [.requested, .refused(.timedOut)])
    #expect(effects.drafts.isEmpty && !effects.events.contains(.pairing(other, .granted)))
    #expect(effects.results.map(\.rejection) == [.expired], "it is said")
  }

  @Test func aLostPadCancelsThePressAndKeepsTheRequest() {
    var scale = askedScale()
    for height in [0.8, 0.5] { scale.show(.load(200), .finger(1, at: height)) }
    scale.handle(.padLost("unplugged"))
    scale.handle(.padFound(.slots()))
    scale.frame()
    #expect(progress(scale.take()) == [.requested])
    for height in [0.8, 0.5] { scale.show(.finger(1, at: height)) }
    scale.lift()
    #expect(progress(scale.take()) == [.granted])
  }

  @Test func aCommitOfAnotherClientIsRecorded() {
    var scale = askedScale()
    scale.handle(.request(ActionRequest(action: .commit, source: .mqtt, identifier: 9)))
    let effects = scale.take()
    #expect(effects.nets == [100] && progress(effects) == [.requested])
  }

  // MARK: Other ends

  @Test(
    arguments: [
      (3, .granted), (3, .refused(.refused)), (3, .refused(.withdrawn)), (nil, .refused(.withdrawn)),
    ] as [(UInt64?, PairingProgress)])
  func itEndsOnce(_ id: UInt64?, _ end: PairingProgress) {
    var scale = askedScale()
    scale.handle(.pairing(.end(2, .granted)))
    #expect(progress(scale.take()) == [.requested])
    scale.handle(.pairing(.end(id, end)))
    let effects = scale.take()
    #expect(progress(effects) == [end] && effects.feedback == [.ended])
    scale.handle(.pairing(.end(3, .granted)))
    scale.wait(.seconds(70))
    #expect(progress(scale.take()).isEmpty)
  }

  @Test func itIsSignalledUntilItEnds() {
    var scale = askedScale()
    #expect(scale.take().feedback == [.asking])
    // A press that begins and is given up.
    scale.show(.load(200), .finger(1, at: 0.8))
    scale.lift(.load(200))
    #expect(scale.take().feedback == [.selected, .asking])
    scale.wait(.seconds(60))
    let effects = scale.take()
    #expect(progress(effects) == [.refused(.timedOut)] && effects.feedback == [.ended])
  }

  /// A finger that only touches a zone signals nothing, so that it ends nothing either.
  @Test func theSignalEndsUnderALightTouch() {
    var scale = askedScale()
    scale.show(.load(200), .finger(0.3))
    #expect(scale.take().gestures.last?.state == .updating)
    scale.handle(.pairing(.end(3, .refused(.withdrawn))))
    #expect(scale.take().feedback == [.ended])
  }

  /// The requests come one at a time; a second one would end the first, not be lost.
  @Test func anotherRequestReplacesIt() {
    var scale = askedScale()
    _ = scale.take()
    let other = PairingRequest(id: 4, name: "other", address: "192.168.1.8")
    scale.handle(.pairing(.ask(other)))
    let effects = scale.take()
    #expect(effects.events == [.pairing(Self.request, .refused(.withdrawn)), .pairing(other, .requested)])
  }

  /// Whatever happens to the scale meanwhile: a request has one end, and no more are granted than presses for it were confirmed.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func noGrantWithoutAPress(_ seed: UInt64) {
    let script = RandomInputs(seed: seed, count: 250)
    var random = SplitMix64(seed: seed)
    var machine = ScaleMachine(settings: ScaleSettings(), at: script.inputs[0].time)
    var effects: [Effect] = []
    var asked: [UInt64] = []
    for (index, (time, input)) in script.inputs.enumerated() {
      if random.next() % 8 == 0 {
        let id = UInt64(index + 1)
        asked.append(id)
        effects += machine.handle(.pairing(.ask(PairingRequest(id: id, name: "n", address: "a"))), at: time)
      }
      let new = machine.handle(input, at: time)
      effects += new
      for draft in new.drafts { effects += machine.handle(.recorded(CommitTests.outcome(draft)), at: time) }
    }
    effects += machine.advance(to: script.inputs[script.inputs.count - 1].time + .seconds(70))
    var (granted, ended, confirmed, isConfirmed) = (0, [UInt64](), 0, false)
    for effect in effects {
      switch effect {
      case .event(let event):
        guard case .pairing(let request, let progress) = event.kind else { break }
        if progress != .requested { ended.append(request.id) }
        if progress == .granted { granted += 1 }
        #expect(granted <= confirmed)
      case .gesture(let report):
        let isNow = report.state == .confirmed && report.action == PairingRequest.action
        if isNow, !isConfirmed { confirmed += 1 }
        isConfirmed = isNow
      case .record(let draft): #expect(draft.request.name != PairingRequest.action)
      default: break
      }
    }
    #expect(ended.sorted() == asked)
  }
}
