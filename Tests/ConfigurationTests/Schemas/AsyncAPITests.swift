import Foundation
import Languages
import Messages
import Testing

@testable import GoldenCases
@testable import Weighing

/// `config/asyncapi.yaml` says what the program really sends, and takes what the program takes.
@Suite struct AsyncAPITests {
  private let api: AsyncAPI

  init() throws { api = try AsyncAPI.read.get() }

  private static let topics = Topics(prefix: "grampad", id: "kitchen")
  private static let time = Instant(nanoseconds: 1_000_000_000_123_456_789)

  @Test func everyTopicHasAChannelAndEveryChannelAnOperation() throws {
    for topic in Topic.allCases {
      _ = try api.channel(AsyncAPI.base + topic.rawValue + (topic == .control ? "/{name}" : ""))
    }
    let channels = try #require(api.document["channels"]?.keys)
    let operations = try #require(api.document["operations"])
    let used = try (operations.keys ?? []).flatMap { name -> [String] in
      let operation = try #require(operations[name])
      return [operation["channel"], operation["reply"]?["channel"]].compactMap { $0?["$ref"]?.text }
    }
    #expect(Set(used) == Set(channels.map { "#/channels/" + $0 }))
    let commands = [
      "command", "setTare", "runTimer", "setTarget", "countPieces", "dose", "storeContainer", "replaceActions",
      "resend",
    ]
    let known = Topic.allCases.count + commands.count + ["response", "discovery", "birth", "output"].count
    #expect(channels.count == known)
  }

  @Test func namesEveryBuiltInAction() throws {
    let names = try #require(api.document["components"]?["schemas"]?["BuiltIn"]?["enum"]?.items)
    #expect(Set(names.compactMap(\.text)) == Set(Action.allCases.map(\.rawValue)))
  }

  /// Also that nothing in the document points nowhere.
  @Test func everyReferenceLeadsSomewhere() throws {
    func check(_ value: JSONValue) throws {
      if let place = value["$ref"]?.text { _ = try JSONSchema(api.document, at: place) }
      for item in value.items ?? [] { try check(item) }
      for key in value.keys ?? [] { try check(value[key] ?? .null) }
    }
    try check(api.document)
  }

  @Test(arguments: try GoldenCase.all())
  func everyPayloadOfTheRecordingsFits(_ golden: GoldenCase) throws {
    for line in try golden.expected().split(separator: "\n") {
      let message = try JSONValue(Array(line.utf8), maximumBytes: 1 << 16)
      let topic = try #require(message["topic"]?.text)
      let faults = try api.faults(of: try #require(message["payload"]), on: AsyncAPI.base + topic)
      #expect(faults.isEmpty, "\(line)")
    }
  }

  private static let phone = PairingRequest(id: 1, name: "phone", address: "192.168.1.7")

  /// The events of doses.
  private static let doses: [ScaleEvent.Kind] = {
    guard let output = OutputName("grinder") else { return [] }
    let dose = Dose(output: output, target: Target(mass: Grams(18)))
    let stops = ["", "beans"].map {
      TargetStop(target: Grams(18), net: Grams(16.9), predicted: Grams(18.02), flow: 1.83, label: $0)
    }
    let progress = TargetProgress(
      mass: Grams(18), tolerance: Grams(0.5), remaining: nil, check: nil, stopsAhead: true, dose: .settling)
    return stops.map { .targetStop($0) } + [
      .doseStarted(RunningDose(dose: dose, label: "")), .doseStarted(RunningDose(dose: dose, label: "beans")),
      .targetReached(progress),
    ]
      + FinishedDose.Reason.allCases.map {
        .dosed(
          FinishedDose(
            dose: dose, label: "beans", reason: $0, result: $0 == .reached ? Grams(18.03) : nil,
            learning: $0 == .reached ? .learned : $0 == .stopped ? .outlier : .nothing))
      }
  }()

  /// What no recording leads to.
  private static let others: [Message] = {
    var composer = MessageComposer(topics: topics, heartbeat: .seconds(5), clock: .recorded)
    guard let code = ScannedCode("4006381333931") else { return [] }
    let kinds: [ScaleEvent.Kind] =
      [
        .tared(DisplayedMass(steps: 1, division: .gram)), .tareCleared,
        .zeroed(DisplayedMass(steps: 1, division: .gram)),
        .rejected("a b", .empty, .nothingOnPad),
        .rejected("count", .belowMinimum, .pieceTooLight(minimum: Grams(1.93))),
        .voided(WeighingID(time: time, randomness: (1, 2)), sequence: 7),
        .relabelled(WeighingID(time: time, randomness: (1, 2)), "rye", sequence: 7),
        .relabelled(WeighingID(time: time, randomness: (1, 2)), nil), .overload, .padLost(.unsuitable(.pen)),
        .padFound("Pad"),
        .calibrated,
        .journalLoss(from: 3, to: 4), .journalRecovered(WeighingID(time: time, randomness: (1, 2)), sequence: 7),
        .padSuspect(.rebaselining), .padSuspect(.noSignal),
        .tared(DisplayedMass(steps: 1, division: .gram), container: ContainerName("jug")),
        .targetReached(TargetProgress(mass: Grams(18), tolerance: Grams(0.5), remaining: Grams(-0.2), check: .ok)),
        .scanned(CodeMeaning(code: code, label: "beans", container: ContainerName("jug"), target: Grams(18))),
        .scanned(CodeMeaning(code: code, target: Grams(18))), .timerStarted(.milliseconds(1234)),
        .timerStarted(.seconds(41.5), pours: 2, pause: .seconds(30)),
        .timerStopped(.seconds(65), pours: 2, isAmended: true),
        .timerStopped(.seconds(28.4)), .reloaded, .pairing(phone, .requested),
        .pairing(phone, .granted), .pairing(phone, .refused(.refused)), .pairing(phone, .refused(.timedOut)),
        .pairing(phone, .refused(.withdrawn)),
      ] + doses
    var messages = kinds.flatMap {
      composer.messages(for: .event(ScaleEvent(kind: $0, time: time, tareEpoch: 1)))
    }
    let quick = QuickAction(
      type: "beans", title: "Beans", icon: "mdi:coffee",
      userInfo: [.init(name: "label", value: .text("b")), .init(name: "n", value: .number(1))])
    messages.append(composer.actions([quick, QuickAction(type: "x", title: "X", subtitle: "Y")]))
    messages += [
      composer.containers([]), composer.learned([]),
      composer.learned([
        LearnedStop(label: "", samples: [.init(flow: 1.5, arrived: Grams(-0.1))]),
        LearnedStop(
          label: "beans", samples: [.init(flow: 1.5, arrived: Grams(0.6)), .init(flow: 2, arrived: Grams(1))]),
      ]),
      composer.containers(
        ContainerName("jug").map {
          [Container(name: $0, tare: Grams(112.53)), Container(name: $0, tare: Grams(1), isConfigured: true)]
        } ?? []),
    ]
    var resent = ResendResult(range: 2...9, source: .mqtt, time: time)
    resent.missing = [4...5, 7...7]
    let rejections: [(ResendResult.Rejection, RejectionDetail)] = [
      (.busy, .commandsWaiting(maximum: 16)), (.expired, .expired), (.journalUnavailable, .journalUnavailable),
    ]
    let rejected = rejections.map {
      ResendResult(range: 2...9, source: .mqtt, rejection: $0, limit: $1, time: time)
    }
    messages += ([resent] + rejected).map { composer.answer($0, to: Caller(correlation: "c")) }
    messages += [composer.availability(true), composer.availability(false)]
    messages += health.map { composer.health($0, at: time) }
    for refusal in CommandError.allCases {
      let message = IncomingMessage(
        topic: topics.command("ta"), payload: Array(#"{"correlation":"x","nope":1}"#.utf8), isRetained: false)
      guard let command = Command(message, topics: topics) else { continue }
      messages += composer.rejection(of: command, refusal, reading: nil, at: time)
    }
    return messages
  }()

  private static let health: [Health] = [
    {
      var health = Health(
        pad: .missing(.verbatim("gone")), broker: .disconnected(.verbatim("lost")), calibration: nil,
        journal: .unavailable(.verbatim("full")),
        configurationError: nil, version: "1")
      health.calibrationWarning = .verbatim("made on another pad")
      health.keyboard = .unavailable(.verbatim("no permission"))
      return health
    }(),
    {
      var health = Health(
        pad: .present(name: "Cell", path: "/dev/input/event3"), broker: .disconnected(.verbatim("lost")),
        calibration: "user",
        journal: .available(path: "/j.db", warning: .verbatim("of another")), configurationError: nil, version: "1")
      health.padWarning = .noSamples
      health.keyboard = .available
      health.page = "http://scale:8385"
      health.display = DisplayUnit(.ounce, division: .gram)
      health.sampling = SamplingReport(
        sampling: PadSampling(period: .milliseconds(90), noise: Grams(0.03), deliversEverySample: true),
        stableTime: .milliseconds(540))
      return health
    }(),
    Health(
      pad: .present(name: "Pad", path: "simulated"), broker: .connected(address: "mqtt://h:1883", version: "5"),
      calibration: "user", journal: .available(path: "/j.db"), configurationError: nil, version: "1"),
    Health(
      pad: .missing(.verbatim("gone")), broker: .disconnected(.verbatim("refused")), calibration: nil,
      journal: .unavailable(.verbatim("full")),
      outbox: Health.Outbox(waiting: 3, parked: 1, parkedReason: .verbatim("0x87")),
      configurationError: .lines([.verbatim("bad"), Sentence(.configExpected, ["accepts": Sentence(.acceptsString)])]),
      version: "1"),
    {
      var health = Health(
        pad: .present(name: "hx711", path: "/dev/iio:device0"), broker: .disconnected(.verbatim("lost")),
        calibration: "nominal",
        journal: .available(path: "/j.db"), configurationError: nil, version: "1")
      health.padWarning = .notCalibrated
      health.restartAdvice = Sentence(.settingsNeedRestart, ["keys": "device.id"]).about("a")
      return health
    }(),
    {
      var health = Health(
        pad: .present(name: "Pad", path: "simulated"), broker: .disconnected(.verbatim("lost")), calibration: nil,
        journal: .available(path: "/j.db"), configurationError: nil, version: "1")
      health.unknownSettings = Sentence(.settingsUnknown, ["path": "/s.yaml", "keys": "future"])
      return health
    }(),
  ]

  @Test(arguments: others) func everyOtherPayloadFits(_ message: Message) throws {
    let topic = try #require(Self.topics.below(message.topic))
    let isText = Topic(rawValue: topic)?.isText == true
    let payload =
      try isText
      ? JSONValue.string(String(decoding: message.payload, as: UTF8.self))
      : JSONValue(message.payload, maximumBytes: 1 << 16)
    let faults = try api.faults(of: payload, on: AsyncAPI.base + topic)
    #expect(faults.isEmpty, "\(String(decoding: message.payload, as: UTF8.self))")
  }

  @Test func theDeliveryIsWhatIsDocumented() throws {
    var composer = MessageComposer(topics: Self.topics, heartbeat: .seconds(5), clock: .recorded)
    var machine = ScaleMachine(settings: ScaleSettings(), at: Self.time)
    var seen: Set<String> = []
    var messages = Self.others + Self.health.map { composer.health($0, at: Self.time) }
    messages += machine.handle(.padLost(.verbatim("none")), at: Self.time).flatMap { composer.messages(for: $0) }
    for message in messages {
      let topic = try #require(Self.topics.below(message.topic))
      let name = try api.channel(AsyncAPI.base + topic).name
      let binding = try #require(api.sending(name)?["bindings"]?["mqtt"], "\(name)")
      #expect(binding["qos"]?.number == (message.delivery == .live ? 0 : 1), "\(topic)")
      #expect(binding["retain"]?.isTrue == (message.delivery == .retained), "\(topic)")
      seen.insert(topic)
    }
    #expect(seen.isSuperset(of: ["availability", "health", "live", "display", "event", "actions", "result"]))
  }

  /// The program accepts exactly the command payloads that are valid in the document.
  @Test(arguments: [
    ("tare", "{}"), ("commit", #"{"label":"beans","correlation":"1","source":"dashboard"}"#), ("tare", "[]"),
    ("relabel", #"{"label":""}"#), ("relabel", #"{"label":null}"#), ("tare", #"{"label":5}"#),
    ("tare", #"{"source":"pad"}"#), ("tare", #"{"force":1}"#),
    ("tare", #"{"correlation":1}"#), ("actions", "{}"), ("actions", #"{"actions":[]}"#),
    ("actions", #"{"actions":{}}"#),
    ("actions", #"{"actions":[{"type":"a"}]}"#), ("actions", #"{"actions":[{"title":"a"}]}"#),
    ("actions", #"{"actions":[{"type":"tare"}]}"#), ("actions", #"{"actions":[{"type":"a b"}]}"#),
    ("actions", #"{"actions":[{"type":"a","run":"jump"}]}"#), ("actions", #"{"actions":[{"type":"a","icon":null}]}"#),
    ("actions", #"{"actions":[{"type":"a","title":null}]}"#), ("actions", #"{"actions":[{"type":"a","extra":1}]}"#),
    ("actions", #"{"actions":[{"type":"a","user_info":{"n":1,"f":true,"t":"x","label":"l"}}]}"#),
    ("actions", #"{"actions":[{"type":"a","user_info":{"label":1}}]}"#),
    ("actions", #"{"actions":[{"type":"a","user_info":{"n":null}}]}"#), ("actions", #"{"label":"x"}"#),
    ("tare", #"{"tare_g":52.3}"#), ("tare", #"{"tare_g":0,"label":"x"}"#), ("tare", #"{"tare_g":-1}"#),
    ("tare", #"{"tare_g":"1"}"#), ("tare", #"{"tare_g":null}"#), ("tare", #"{"container":"jug"}"#),
    ("tare", #"{"container":""}"#), ("tare", #"{"container":"jug","tare_g":1}"#), ("tare", #"{"id":"x"}"#),
    ("timer", #"{"do":"start"}"#), ("timer", "{}"), ("timer", #"{"do":"pause"}"#), ("timer", #"{"do":1}"#),
    ("target", "{}"), ("target", #"{"target_g":18,"tolerance_g":0.5}"#), ("target", #"{"target_g":0}"#),
    ("target", #"{"target_g":18,"tolerance_g":0}"#), ("target", #"{"tolerance_g":1}"#),
    ("target", #"{"target_g":true}"#),
    ("target", #"{"target_g":1000001}"#), ("target", #"{"target_g":18,"tolerance_g":-1}"#),
    ("count", "{}"), ("count", #"{"pieces":10}"#), ("count", #"{"pieces":0}"#), ("count", #"{"pieces":1.5}"#),
    ("count", #"{"piece_g":0.32,"piece_spread":0.01}"#), ("count", #"{"piece_g":0}"#),
    ("count", #"{"piece_spread":0.1}"#),
    ("count", #"{"pieces":2,"piece_g":1}"#), ("count", #"{"pieces":2,"piece_spread":0.6}"#),
    ("target", #"{"target_g":18,"stop_ahead":true,"label":"beans"}"#), ("target", #"{"stop_ahead":true}"#),
    ("target", #"{"target_g":18,"stop_ahead":1}"#),
    ("dose", "{}"), ("dose", #"{"output":"grinder","target_g":18,"tolerance_g":0.1,"label":"beans"}"#),
    ("dose", #"{"output":"grinder"}"#), ("dose", #"{"target_g":18}"#), ("dose", #"{"tolerance_g":1}"#),
    ("dose", #"{"output":"my grinder","target_g":18}"#), ("dose", #"{"output":7,"target_g":18}"#),
    ("dose", #"{"output":"grinder","target_g":0}"#), ("dose", #"{"output":"grinder","target_g":18,"stop_ahead":true}"#),
    ("dose", #"{"forget":""}"#), ("dose", #"{"forget":"beans"}"#), ("dose", #"{"forget":5}"#),
    ("dose", #"{"forget":"beans","output":"grinder","target_g":18}"#),
    ("dose", "{\"forget\":\"\(String(repeating: "k", count: 257))\"}"),
    ("container", "{}"), ("container", #"{"name":"jug"}"#), ("container", #"{"name":"jug","remove":true}"#),
    ("container", #"{"name":"jug","remove":1}"#), ("container", #"{"name":"  "}"#), ("container", #"{"name":7}"#),
    ("resend", "{}"), ("resend", #"{"from":1,"to":2,"correlation":"a"}"#), ("resend", #"{"from":0,"to":2}"#),
    ("resend", #"{"from":1,"to":1.5}"#), ("resend", #"{"from":1,"to":2,"label":"a"}"#), ("resend", #"{"from":1}"#),
    ("actions", #"{"actions":[{"type":"1"},{"type":"2"},{"type":"3"},{"type":"4"},{"type":"5"}]}"#),
  ])
  func aCommandIsTakenAsDocumented(_ name: String, _ text: String) throws {
    let message = IncomingMessage(topic: Self.topics.command(name), payload: Array(text.utf8), isRetained: false)
    let order = try #require(Command(message, topics: Self.topics)).order
    let own = ["actions", "resend", "tare", "timer", "target", "count", "container", "dose"]
    let address = own.contains(name) ? "command/\(name)" : "command/{action}"
    let faults = try api.faults(of: JSONValue(Array(text.utf8), maximumBytes: 1 << 14), on: AsyncAPI.base + address)
    #expect(faults.isEmpty == ((try? order.get()) != nil), "\(faults)")
  }

  @Test func theAnnouncementFits() throws {
    let device = HomeAssistantDevice(
      topics: Self.topics, name: "Kitchen", version: "1", decimals: 0,
      quickActions: [QuickAction(type: "beans", title: "Beans")], formerActions: ["milk"])
    let address = "{discoveryPrefix}/device/{node}/config"
    let message = device.announcement(on: "x")
    #expect(try api.faults(of: JSONValue(message.payload, maximumBytes: 1 << 16), on: address).isEmpty)
    #expect(try api.faults(of: .string(""), on: address).isEmpty)
    let binding = try #require(api.sending(api.channel(address).name)?["bindings"]?["mqtt"])
    #expect(binding["qos"]?.number == 1 && binding["retain"]?.isTrue == true && message.delivery == .retained)
  }

  /// The schemas leave no room: whatever is changed in a payload, they say so.
  @Test func aWrongPayloadIsSeen() throws {
    var tried = 0
    for line in try GoldenCase.named("commit-and-void").expected().split(separator: "\n") {
      for (right, wrong) in [(#""tare_g""#, #""tara_g""#), (#""stable":true"#, #""stable":1"#), (#"Z","#, #"","#)] {
        guard line.contains(right) else { continue }
        let message = try JSONValue(Array(line.replacing(right, with: wrong).utf8), maximumBytes: 1 << 16)
        let topic = try #require(message["topic"]?.text)
        let faults = try api.faults(of: try #require(message["payload"]), on: AsyncAPI.base + topic)
        #expect(!faults.isEmpty, "\(topic): \(wrong)")
        tried += 1
      }
    }
    #expect(tried > 30)
  }
}
