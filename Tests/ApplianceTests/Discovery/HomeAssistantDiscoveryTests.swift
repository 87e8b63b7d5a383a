import Configuration
import Messages
import Synchronization
import Testing
import Weighing

@testable import Appliance
@testable import GoldenCases

/// When the appliance announces itself, and when it takes that back.
@Suite struct HomeAssistantDiscoveryTests {
  /// An appliance's discovery, and what it has published.
  private final class Announcer: Sendable {
    let discovery: HomeAssistantDiscovery
    private let box: Box

    /// Shared with the closure that publishes.
    private final class Box: Sendable { let messages = Mutex<[Message]>([]) }

    init(_ yaml: String = "", prefix: String = "grampad") throws {
      let box = Box()
      discovery = HomeAssistantDiscovery(
        try Configuration.parse(yaml), topics: Topics(prefix: prefix, id: "grampad")
      ) { message in box.messages.withLock { $0.append(message) } }
      self.box = box
    }

    /// The messages since the last call.
    func messages() -> [Message] {
      box.messages.withLock { messages in
        defer { messages = [] }
        return messages
      }
    }

    /// What was published since the last call, in short: the topic, and the buttons of quick actions, `-` when removed.
    func published() -> [String] {
      box.messages.withLock { messages in
        defer { messages = [] }
        return messages.map { message in
          guard !message.payload.isEmpty else { return "\(message.topic) -" }
          let json = try? JSONValue(message.payload, maximumBytes: 1 << 16)
          let buttons = HomeAssistantDevice.actions(in: message.payload).sorted().map { type in
            json?["components"]?["action_" + type]?.keys == ["platform"] ? "-" + type : type
          }
          return ([message.topic] + buttons).joined(separator: " ")
        }
      }
    }

    func apply(_ yaml: String) throws { discovery.apply(try Configuration.parse(yaml)) }

    func handle(_ topic: String, _ payload: [UInt8], isRetained: Bool = false) -> Bool {
      discovery.handle(IncomingMessage(topic: topic, payload: payload, isRetained: isRetained))
    }
  }

  private static let topic = "homeassistant/device/grampad/config"
  private static let beans = QuickAction(type: "beans", title: "Beans")
  private static let off = "home_assistant: {discovery: false}"

  private static func announcement(_ types: String...) -> [UInt8] {
    HomeAssistantDevice(
      topics: Topics(prefix: "grampad", id: "grampad"), name: "Grampad", version: "0", decimals: 0,
      quickActions: types.map { QuickAction(type: $0, title: $0) }
    ).announcement(on: topic).payload
  }

  @Test func announcesAtTheStartAndAtABirth() throws {
    let announcer = try Announcer()
    #expect(announcer.discovery.filters == ["homeassistant/status", Self.topic])
    #expect(announcer.published().isEmpty)
    announcer.discovery.start([Self.beans])
    #expect(announcer.published() == ["\(Self.topic) beans"])
    #expect(announcer.handle("homeassistant/status", Array("online".utf8)), "it knows no reading")
    #expect(announcer.published() == ["\(Self.topic) beans"])
    #expect(!announcer.handle("homeassistant/status", Array("online".utf8), isRetained: true))
    #expect(announcer.published() == ["\(Self.topic) beans"])
    #expect(!announcer.handle("homeassistant/status", Array("offline".utf8)))
    #expect(!announcer.handle(Self.topic, Self.announcement("tea")), "an echo")
    #expect(announcer.published().isEmpty)
  }

  @Test func buttonsThatAreNoMoreAreTakenAway() throws {
    let announcer = try Announcer()
    // What an earlier start has left comes before the quick actions are known.
    #expect(!announcer.handle(Self.topic, Self.announcement("tea", "beans"), isRetained: true))
    #expect(announcer.published().isEmpty)
    announcer.discovery.start([Self.beans])
    #expect(announcer.published() == ["\(Self.topic) beans -tea"])
    announcer.discovery.handle(.actions([QuickAction(type: "tea", title: "Tea")], at: Instant(nanoseconds: 0)))
    #expect(announcer.published() == ["\(Self.topic) -beans tea"])
    // The same again is no news.
    #expect(!announcer.handle(Self.topic, Self.announcement("tea", "beans"), isRetained: true))
    #expect(announcer.published().isEmpty)
    for number in 0..<100 {
      announcer.discovery.handle(
        .actions([QuickAction(type: "a\(number)", title: "A")], at: Instant(nanoseconds: 0)))
    }
    #expect(announcer.published().allSatisfy { $0.split(separator: " ").count <= 66 })
  }

  /// By a reload, and when an earlier run has announced them.
  @Test func controlsThatAreNoMoreAreTakenAway() throws {
    let lamp = "pad: {controls: {lamp: {x: [0.3, 0.7], y: [0, 0.2]}}}"
    let announcer = try Announcer(lamp)
    func published() -> [String: [String]] {
      announcer.messages().reduce(into: [:]) { components, message in
        let json = try? JSONValue(message.payload, maximumBytes: 1 << 16)
        for name in HomeAssistantDevice.controls(in: message.payload) {
          components[name.description] = json?["components"]?["control_\(name)"]?.keys?.sorted()
        }
      }
    }
    announcer.discovery.start([])
    #expect(published()["lamp"]?.contains("state_topic") == true)
    try announcer.apply("pad: {controls: {fan: {x: [0.3, 0.7], y: [0, 0.2]}}}")
    let changed = published()
    #expect(changed["lamp"] == ["platform"] && changed["fan"]?.contains("state_topic") == true)
    try announcer.apply(lamp)
    #expect(published()["fan"] == ["platform"])

    var earlier = HomeAssistantDevice(
      topics: Topics(prefix: "grampad", id: "grampad"), name: "Grampad", version: "0", decimals: 0,
      quickActions: [])
    earlier.controls = ["lamp", "old"].compactMap(ControlName.init)
    #expect(!announcer.handle(Self.topic, earlier.announcement(on: Self.topic).payload, isRetained: true))
    #expect(published()["old"] == ["platform"])
    #expect(!announcer.handle(Self.topic, earlier.announcement(on: Self.topic).payload, isRetained: true))
    #expect(published().isEmpty, "known already")
  }

  /// By a reload, and when an earlier run has announced it; without one there is nothing to remove.
  @Test func theSensorOfPoursFollowsTheTimer() throws {
    let announcer = try Announcer()
    func sensors() -> [[String]?] {
      announcer.messages().map { message in
        (try? JSONValue(message.payload, maximumBytes: 1 << 16))?["components"]?["pours"]?.keys?.sorted()
      }
    }
    announcer.discovery.start([])
    #expect(sensors() == [nil])
    try announcer.apply("timer: {auto: true}")
    #expect(sensors().map { $0?.contains("state_topic") } == [true])
    var earlier = HomeAssistantDevice(
      topics: Topics(prefix: "grampad", id: "grampad"), name: "Grampad", version: "0", decimals: 0, quickActions: [])
    earlier.timesPours = true
    let announced = earlier.announcement(on: Self.topic).payload
    #expect(!announcer.handle(Self.topic, announced, isRetained: true))
    #expect(sensors().isEmpty, "its own announcement")
    try announcer.apply("")
    #expect(sensors() == [["platform"]])

    let next = try Announcer()
    next.discovery.start([])
    _ = next.messages()
    #expect(!next.handle(Self.topic, announced, isRetained: true))
    #expect(next.messages().count == 1)
    #expect(!next.handle(Self.topic, announced, isRetained: true))
    #expect(next.messages().isEmpty, "known already")
  }

  /// The button that stops a dose comes with the first output and goes with the last, at a reload or between two runs.
  @Test func theButtonOfADoseFollowsTheOutputs() throws {
    let yaml = "outputs: [{name: grinder, topic: a}]"
    let announcer = try Announcer(yaml)
    func buttons() -> [[String]] {
      announcer.messages().map { message in
        let components = (try? JSONValue(message.payload, maximumBytes: 1 << 16))?["components"]
        return (components?["stop_dose"]?.keys ?? []).sorted()
      }
    }
    announcer.discovery.start([])
    #expect(buttons().first?.contains("command_topic") == true)
    try announcer.apply("")
    #expect(buttons() == [["platform"]])
    try announcer.apply(yaml)
    let announcement = try #require(announcer.messages().last).payload

    let next = try Announcer()
    next.discovery.start([])
    #expect(next.messages().allSatisfy { !HomeAssistantDevice.hasDoseButton(in: $0.payload) })
    _ = next.handle(Self.topic, announcement, isRetained: true)
    let removal = try #require(next.messages().last)
    #expect(String(decoding: removal.payload, as: UTF8.self).contains(#""stop_dose":{"platform":"button"}"#))
    _ = next.handle(Self.topic, removal.payload, isRetained: true)
    #expect(next.messages().isEmpty)
  }

  @Test func turnedOffAndOnAgain() throws {
    let announcer = try Announcer()
    announcer.discovery.start([])
    try announcer.apply(Self.off)
    try announcer.apply(Self.off)
    #expect(announcer.published() == [Self.topic, "\(Self.topic) -"])
    #expect(announcer.handle("homeassistant/status", Array("online".utf8)), "readings are wanted all the same")
    #expect(announcer.published().isEmpty, "of a device that is not known, an empty message is a warning")
    try announcer.apply("")
    #expect(announcer.published() == [Self.topic])
  }

  @Test func offFromTheStartOnlyWhatIsThereIsTakenAway() throws {
    let announcer = try Announcer(Self.off)
    announcer.discovery.start([Self.beans])
    #expect(announcer.published().isEmpty)
    #expect(!announcer.handle(Self.topic, Self.announcement(), isRetained: true))
    #expect(announcer.published() == ["\(Self.topic) -"])
    #expect(!announcer.handle(Self.topic, [], isRetained: false))
    #expect(announcer.published().isEmpty)
  }

  /// A version that left the prefix out has announced this scale on the topic of another one, which may be there again.
  @Test(arguments: [true, false]) func theAnnouncementWithoutThePrefixIsReplaced(_ isOn: Bool) throws {
    let announcer = try Announcer(isOn ? "" : Self.off, prefix: "lab")
    let own = "homeassistant/device/lab_grampad-6d3ad72b/config"
    #expect(announcer.discovery.filters == ["homeassistant/status", own, Self.topic])
    announcer.discovery.start([Self.beans])
    #expect(announcer.published() == (isOn ? ["\(own) beans"] : []))
    #expect(!announcer.handle(Self.topic, Self.announcement("beans"), isRetained: true))
    #expect(announcer.published().isEmpty, "it announces grampad/grampad")
    let former = HomeAssistantDevice(
      topics: Topics(prefix: "lab", id: "grampad"), name: "Grampad", version: "0", decimals: 0, quickActions: []
    ).announcement(on: Self.topic).payload
    #expect(!announcer.handle(Self.topic, former, isRetained: false), "not of this run")
    #expect(announcer.published().isEmpty)
    #expect(!announcer.handle(Self.topic, former, isRetained: true))
    #expect(announcer.published() == ["\(Self.topic) -"] + (isOn ? ["\(own) -", "\(own) beans"] : []))
  }

  @Test func movesWithThePrefix() throws {
    let announcer = try Announcer()
    announcer.discovery.start([])
    try announcer.apply("home_assistant: {prefix: ha}")
    #expect(announcer.published() == [Self.topic, "\(Self.topic) -", "ha/device/grampad/config"])
    #expect(Set(announcer.discovery.filters) == ["ha/status", "homeassistant/status", "ha/device/grampad/config"])
    #expect(announcer.handle("ha/status", Array("online".utf8)))
  }

  @Test func aNameOrADivisionThatChangesIsAnnounced() throws {
    let announcer = try Announcer()
    announcer.discovery.start([])
    try announcer.apply("device: {name: Kitchen}")
    try announcer.apply("device: {name: Kitchen}\nscale: {division_g: 0.1}")
    try announcer.apply("device: {name: Kitchen}\nscale: {division_g: 0.2}")
    #expect(announcer.published() == [Self.topic, Self.topic, Self.topic])
  }

  /// What is known only once the page listens and the pad is found is announced then, and once.
  @Test func pagePadAndAreaAreAnnounced() throws {
    let announcer = try Announcer("home_assistant: {suggested_area: Kitchen}")
    func device() -> [String: String] {
      let json = announcer.messages().last.flatMap { try? JSONValue($0.payload, maximumBytes: 1 << 16) }
      let names = ["configuration_url", "hw_version", "suggested_area"]
      return names.reduce(into: [:]) { $0[$1] = json?["device"]?[$1]?.text }
    }
    announcer.discovery.describe(page: "http://scale.local:8385")
    #expect(announcer.published().isEmpty, "not before the start")
    announcer.discovery.start([])
    #expect(device() == ["configuration_url": "http://scale.local:8385", "suggested_area": "Kitchen"])
    for _ in 0..<2 { announcer.discovery.describe(hardware: "hx711") }
    #expect(announcer.published() == [Self.topic])
    try announcer.apply("home_assistant: {suggested_area: Lab}")
    #expect(
      device() == ["configuration_url": "http://scale.local:8385", "hw_version": "hx711", "suggested_area": "Lab"])
  }

  /// A container that is stored or removed changes the options of the select; a container that weighs something else does
  /// not.
  @Test func namesOfContainersAreAnnounced() throws {
    func effect(_ containers: (String, Double)...) -> Effect {
      .containers(
        containers.compactMap { name, mass in ContainerName(name).map { Container(name: $0, tare: Grams(mass)) } },
        at: Instant(nanoseconds: 0))
    }
    let announcer = try Announcer()
    announcer.discovery.handle(effect(("jug", 84)))
    #expect(announcer.published().isEmpty, "not before the start")
    announcer.discovery.start([])
    #expect(announcer.published() == [Self.topic])
    announcer.discovery.handle(effect(("jug", 85)))
    #expect(announcer.published().isEmpty)
    announcer.discovery.handle(effect(("jug", 85), ("cup", 12)))
    #expect(announcer.published() == [Self.topic])
    announcer.discovery.handle(effect())
    #expect(announcer.published() == [Self.topic])
  }
}
