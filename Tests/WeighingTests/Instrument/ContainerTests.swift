import Recordings
import Testing
import Weighing

/// Containers: preset tares, stored containers, and their recognition.
@Suite struct ContainerTests {
  static func name(_ text: String) throws -> ContainerName { try #require(ContainerName(text)) }

  private static func request(_ action: Action, _ parameters: ActionArguments) -> ScaleMachine.Input {
    .request(ActionRequest(action: action, parameters: parameters, source: .mqtt))
  }

  @Test(arguments: [
    ("", false), (" ", false), ("a\nb", false), ("a\u{0}", false), (String(repeating: "x", count: 33), false),
    (String(repeating: "x", count: 32), true), ("Kännchen blau", true), ("jug", true),
  ])
  func aNameIsALine(_ text: String, _ isName: Bool) {
    let name = ContainerName(text)
    #expect((name != nil) == isName)
    if let name { #expect(name.description == text && name == ContainerName(text)) }
  }

  // MARK: Preset tare

  @Test(arguments: [ScaleSettings.TareOnRelease.keep, .clear])
  func aPresetTareIsSetOnAnEmptyPad(_ onRelease: ScaleSettings.TareOnRelease) {
    var settings = ScaleSettings()
    settings.scale.tareOnRelease = onRelease
    var scale = HandFedScale(settings)
    scale.handle(Self.request(.tare, .tare(.mass(Grams(52.3)))))
    #expect(scale.take().rejections == [nil] && scale.reading.tare.steps == 52)
    // A finger in a zone is no load: the frames of an empty pad do not clear the tare.
    scale.frame([.finger(0.5, at: 0.5, x: 0.05)])
    scale.frame()
    scale.settle(200)
    #expect(scale.reading.net?.steps == 48 && scale.reading.tare.steps == 52)
    scale.frame()
    #expect(scale.reading.tare.steps == (onRelease == .keep ? 52 : 0), "released")
  }

  @Test func aPresetTareIsSetWhileTheLoadMoves() {
    var scale = HandFedScale()
    scale.frame(150)
    scale.handle(Self.request(.tare, .tare(.mass(Grams(25)))))
    #expect(scale.take().rejections == [nil] && scale.reading.net?.steps == 50)
  }

  @Test func aPresetTareIsRejected() {
    var scale = HandFedScale()
    scale.handle(Self.request(.tare, .tare(.mass(Grams(386)))))
    scale.settle(1000)
    scale.handle(Self.request(.tare, .tare(.mass(Grams(10)))))
    scale.handle(.padLost("unplugged"))
    scale.handle(Self.request(.tare, .tare(.mass(Grams(10)))))
    #expect(scale.take().rejections == [.badPayload, .overload, .padMissing])
    #expect(scale.reading.tare.steps == 0)
  }

  // MARK: Stored containers

  /// Only the configuration removes its containers, and a full list says what to do.
  @Test func aRefusalSaysWhatToDo() throws {
    let jug = try Self.name("jug")
    var settings = ScaleSettings()
    settings.containers = [Container(name: jug, tare: Grams(20), isConfigured: true)]
    var scale = HandFedScale(settings)
    scale.settle(50)
    scale.handle(Self.request(.container, .container(.remove(jug))))
    scale.handle(Self.request(.container, .container(.remove(try Self.name("pot")))))
    for number in 0...Container.maximumStored {
      scale.handle(Self.request(.container, .container(.store(try Self.name("c\(number)")))))
    }
    let results = scale.take().results
    #expect(results.map(\.rejection).prefix(2) == [.unknownContainer, .unknownContainer])
    let unknown = RejectionDetail.unknownContainer(try Self.name("pot"), known: [jug])
    #expect(results.map(\.detail).prefix(2) == [.containerIsConfigured, unknown])
    #expect(results.dropFirst(2).dropLast().allSatisfy { $0.rejection == nil })
    #expect(results.last?.rejection == .badPayload && results.last?.detail == .tooManyContainers(maximum: 64))
  }

  private static func lists(_ effects: [Effect]) -> [[Container]] {
    effects.compactMap { if case .containers(let list, _) = $0 { list } else { nil } }
  }

  private static func changes(_ effects: [Effect]) -> [Container?] {
    effects.compactMap {
      if case .containerChange(let name, let tare, _) = $0 { tare.map { Container(name: name, tare: $0) } } else { nil }
    }
  }

  @Test func aContainerIsStoredAndUsedWhileItIsAway() throws {
    let jug = try Self.name("jug")
    var scale = HandFedScale()
    scale.handle(Self.request(.tare, .tare(.container(jug))))
    scale.settle(225)
    scale.handle(Self.request(.container, .container(.store(jug))))
    let stored = Container(name: jug, tare: Grams(112.5))
    var effects = scale.take()
    #expect(effects.rejections == [.unknownContainer, nil])
    #expect(Self.lists(effects) == [[stored]] && Self.changes(effects) == [stored])
    scale.frame()
    scale.wait(.seconds(1))
    scale.handle(Self.request(.tare, .tare(.container(jug))))
    effects = scale.take()
    #expect(effects.events == [.tared(DisplayedMass(steps: 113, division: .gram), container: jug)])
    #expect(scale.reading.instruments?.container == jug)
    scale.settle(325)
    #expect(scale.reading.net?.steps == 50)
    scale.ask(.tare)
    #expect(scale.reading.instruments == nil, "another tare")
    scale.handle(Self.request(.container, .container(.remove(jug))))
    scale.handle(Self.request(.container, .container(.remove(jug))))
    effects = scale.take()
    #expect(Array(effects.rejections.suffix(2)) == [nil, .unknownContainer] && Self.lists(effects) == [[]])
  }

  @Test func storingNeedsALoad() throws {
    let store = Self.request(.container, .container(.store(try Self.name("jug"))))
    var scale = HandFedScale()
    scale.handle(store)
    scale.handle(Self.request(.container, .none))
    scale.settle(1000)
    scale.handle(store)
    scale.handle(.padLost("unplugged"))
    scale.handle(store)
    #expect(scale.take().rejections == [.empty, .badPayload, .overload, .padMissing])
  }

  @Test func storedContainersTakePrecedenceOverConfiguredOnes() throws {
    let (jug, cup, pot) = (try Self.name("jug"), try Self.name("cup"), try Self.name("pot"))
    var settings = ScaleSettings()
    settings.containers = [Container(name: jug, tare: Grams(50)), Container(name: cup, tare: Grams(30))]
    var scale = HandFedScale(settings)
    scale.handle(.restoreContainers([Container(name: pot, tare: Grams(80)), Container(name: jug, tare: Grams(52))]))
    let restored = [
      Container(name: jug, tare: Grams(52)), Container(name: cup, tare: Grams(30)),
      Container(name: pot, tare: Grams(80)),
    ]
    #expect(Self.lists(scale.take()) == [restored])
    scale.handle(Self.request(.container, .container(.remove(cup))))
    #expect(scale.take().rejections == [.unknownContainer], "only the configuration removes it")
    scale.handle(Self.request(.container, .container(.remove(jug))))
    #expect(Self.lists(scale.take()).last?.first?.tare == Grams(50))
    scale.change { $0.containers = [] }
    #expect(Self.lists(scale.take()) == [[Container(name: pot, tare: Grams(80))]])
  }

  @Test func theNumberOfStoredContainersIsLimited() throws {
    var scale = HandFedScale()
    scale.settle(200)
    for index in 0..<65 {
      scale.handle(Self.request(.container, .container(.store(try Self.name("c\(index)")))))
    }
    scale.handle(Self.request(.container, .container(.store(try Self.name("c3")))))
    #expect(scale.take().rejections == Array(repeating: nil, count: 64) + [.badPayload, nil])
  }

  // MARK: Recognition

  private static func recognising(_ containers: [Container]) -> HandFedScale {
    var settings = ScaleSettings()
    settings.recognisesContainers = true
    settings.containers = containers
    return HandFedScale(settings)
  }

  @Test func aKnownContainerIsTaredWhenItIsPutDown() throws {
    let jug = try Self.name("jug")
    var scale = Self.recognising([Container(name: jug, tare: Grams(112.5))])
    scale.settle(226)
    #expect(scale.reading.instruments?.container == jug && scale.reading.net?.steps == 0)
    scale.settle(300)
    #expect(scale.reading.net?.steps == 37)
    // Lifted and put back with what is in it: the tare remains.
    scale.frame()
    scale.wait(.seconds(1))
    scale.settle(300)
    #expect(scale.reading.net?.steps == 37 && scale.reading.instruments?.container == jug)
    #expect(scale.take().events.filter { if case .tared = $0 { true } else { false } }.count == 1)
  }

  @Test func anUnknownContainerIsNotTaredNorWhatIsFilledIntoIt() throws {
    var scale = Self.recognising([Container(name: try Self.name("jug"), tare: Grams(100))])
    scale.ask(.tare)
    for counts in [120, 160, 200, 240] { scale.settle(counts) }
    #expect(scale.reading.instruments == nil && scale.reading.net?.steps == 120)
    scale.frame()
    scale.wait(.seconds(1))
    scale.settle(200)
    #expect(scale.reading.instruments?.container != nil, "on the empty pad")
  }

  /// The minimum is that of a weighing. Something else that is lighter does not prevent the recognition of what follows.
  @Test(arguments: [3, 90]) func aContainerMayBeLighterThanTheMinimum(counts: Int) throws {
    let paper = try Self.name("paper")
    var scale = Self.recognising([
      Container(name: paper, tare: Grams(1.5)), Container(name: try Self.name("jug"), tare: Grams(45)),
    ])
    scale.change { $0.scale.minimum = Grams(5) }
    scale.settle(8)
    #expect(scale.reading.isStable && scale.reading.instruments == nil)
    scale.settle(counts)
    #expect(scale.reading.instruments?.container.map { ($0 == paper) == (counts == 3) } == true)
  }

  /// The containers of earlier runs are known some time after the start.
  @Test func whatWasRemovedBeforeTheJournalWasReadRemainsRemoved() throws {
    let (jug, cup) = (try Self.name("jug"), try Self.name("cup"))
    var scale = HandFedScale()
    scale.settle(200)
    scale.handle(Self.request(.container, .container(.store(jug))))
    scale.handle(Self.request(.container, .container(.remove(jug))))
    let earlier = [Container(name: jug, tare: Grams(50)), Container(name: cup, tare: Grams(30))]
    scale.handle(.restoreContainers(earlier))
    #expect(Self.lists(scale.take()).last == [Container(name: cup, tare: Grams(30))])
    scale.handle(Self.request(.container, .container(.store(jug))))
    #expect(Self.lists(scale.take()).last?.map(\.name) == [cup, jug])
  }

  @Test func ofTwoThatFitNeitherIsChosen() throws {
    var scale = Self.recognising([
      Container(name: try Self.name("a"), tare: Grams(100)), Container(name: try Self.name("b"), tare: Grams(101)),
    ])
    scale.settle(201)
    #expect(scale.reading.instruments == nil && scale.reading.tare.steps == 0)
  }

  @Test func aLoadThatLiesThereAtTheStartIsNotRecognised() throws {
    var settings = ScaleSettings()
    settings.recognisesContainers = true
    settings.containers = [Container(name: try Self.name("jug"), tare: Grams(100))]
    var scale = HandFedScale(settings, pad: nil)
    scale.handle(.padFound(.slots()))
    scale.frame(200, gap: true)
    scale.wait(.seconds(1))
    #expect(scale.reading.instruments == nil && scale.reading.gross.steps == 100)
    scale.handle(.padLost("unplugged"))
    scale.handle(.padFound(.slots()))
    scale.settle(200)
    #expect(scale.reading.instruments?.container?.description == "jug", "its touch-down is the first frame")
  }

  /// Known and unknown containers on a noisy load cell, put down, filled and taken away.
  @Test(arguments: 0..<4) func noContainerIsConfused(_ part: Int) throws {
    var (recognised, unknown, ambiguous) = (0, 0, 0)
    for sequence in 0..<250 {
      let seed = UInt64(part * 250 + sequence + 1)
      var random = SplitMix64(seed: seed)
      let known = try (0..<Int(1 + random.next() % 6)).map { index in
        // A third of them nearly as heavy as the first one.
        Container(
          name: try Self.name("c\(index)"),
          tare: Grams(index > 0 && random.unit() < 0.3 ? 80.2 + 0.2 * random.unit() : 20 + 180 * random.unit()))
      }
      var scale = try CellScale(division: 0.1, seed: seed) {
        $0.recognisesContainers = true
        $0.containers = known
      }
      scale.noise = 0.02
      scale.hold(30, for: 3)
      for _ in 0..<Int(1 + random.next() % 3) {
        let actual = random.unit() < 0.6 ? known.randomElement(using: &random)?.tare.value : nil
        let mass = actual ?? 20 + 180 * random.unit()
        let epoch = scale.machine.tareEpoch
        scale.hold(30 + mass, for: 2.5)
        let uncertainty = try #require(scale.reading.uncertainty).value
        let tolerance = max(0.1, 2 * uncertainty)
        // The reading itself is off by its noise.
        let slack = 3 * uncertainty
        let chosen = scale.machine.tareEpoch == epoch ? nil : scale.reading.instruments?.container
        let sure = known.filter { ($0.tare.value - mass).magnitude < tolerance - slack }
        let possible = known.filter { ($0.tare.value - mass).magnitude <= tolerance + slack }
        if let chosen {
          #expect(possible.contains { $0.name == chosen } && sure.filter { $0.name != chosen }.isEmpty, "\(seed)")
          recognised += 1
        } else {
          #expect(possible.isEmpty || possible.count > 1 || sure.isEmpty, "\(seed): \(mass) g")
          if possible.isEmpty { unknown += 1 } else { ambiguous += 1 }
        }
        scale.hold(30 + mass + 20 * random.unit(), for: 1.5)
        scale.hold(30, for: 2)
      }
    }
    #expect(recognised > 50 && unknown > 50 && ambiguous > 5, "\(recognised), \(unknown), \(ambiguous)")
  }
}
