import Messages
import Testing

/// Where an appliance and Home Assistant meet.
@Suite struct HomeAssistantTopicsTests {
  @Test(arguments: [
    ("homeassistant", "grampad", "homeassistant/device/grampad/config"),
    ("home/assistant", "Scale_2-b", "home/assistant/device/Scale_2-b/config"),
    // Home Assistant takes letters, digits, _ and - in a topic only. The sums: FNV-1a, 32 bits.
    ("homeassistant", "a b", "homeassistant/device/a_b-10a3f9f2/config"),
    ("homeassistant", "a.b", "homeassistant/device/a_b-108bf50c/config"),
  ])
  func anAnnouncementHasATopicThatIsRead(_ prefix: String, _ id: String, _ topic: String) {
    #expect(HomeAssistantTopics(prefix: prefix, topics: Topics(prefix: "grampad", id: id)).discovery == topic)
  }

  @Test(arguments: [
    ("lab", "kitchen", "homeassistant/device/lab_kitchen-9915007b/config"),
    ("a/b.c", "x", "homeassistant/device/a_b_c_x-6cf0eb95/config"),
  ])
  func anotherPrefixIsInTheTopic(_ prefix: String, _ id: String, _ topic: String) {
    let topics = HomeAssistantTopics(prefix: "homeassistant", topics: Topics(prefix: prefix, id: id))
    #expect(topics.discovery == topic && topics.former == "homeassistant/device/\(id)/config")
    #expect(HomeAssistantTopics(prefix: "ha", topics: Topics(prefix: "grampad", id: id)).former == nil)
  }

  /// Whatever prefixes and ids are called, no two appliances of a broker share an identity, a topic or an entity.
  @Test func noTwoAppliancesAreTheSame() {
    let prefixes = ["grampad", "lab", "a", "a/b", "a_b", "a-b", "grampad/a", "grampad-a"]
    let ids = ["a", "b", "lab", "grampad", "a-b", "b-a", "a_b", "lab-a", "a_b-b"]
    let all = prefixes.flatMap { prefix in ids.map { Topics(prefix: prefix, id: $0) } }
    #expect(Set(all.map(\.identity)).count == all.count)
    #expect(Set(all.map { HomeAssistantTopics(prefix: "homeassistant", topics: $0).discovery }).count == all.count)
    let entities = all.flatMap { topics -> [String] in
      let device = HomeAssistantDevice(topics: topics, name: "Scale", version: "1", decimals: 0, quickActions: [])
      let json = try? JSONValue(device.announcement(on: "t").payload, maximumBytes: 1 << 17)
      guard case .object(let components)? = json?["components"] else { return [] }
      return components.keys.compactMap { json?["components"]?[$0]?["unique_id"]?.text }
    }
    #expect(entities.count > 20 * all.count && Set(entities).count == entities.count)
    for id in ids { #expect(Topics(prefix: "grampad", id: id).identity == id, "as in earlier versions") }
  }

  @Test(arguments: [
    ("homeassistant", "homeassistant/status", "online", true),
    ("homeassistant", "homeassistant/status", "offline", false),
    ("homeassistant", "grampad/status", "online", false),
    ("ha", "ha/status", "online", true),
    ("ha", "homeassistant/status", "online", true),
    ("ha", "homeassistant/status", "", false),
  ])
  func aBirthIsKnown(_ prefix: String, _ topic: String, _ payload: String, _ isBirth: Bool) {
    let topics = HomeAssistantTopics(prefix: prefix, topics: Topics(prefix: "grampad", id: "kitchen"))
    let message = IncomingMessage(topic: topic, payload: Array(payload.utf8), isRetained: false)
    #expect(topics.isBirth(message) == isBirth)
    #expect(Set(topics.births).isSuperset(of: ["homeassistant/status", "\(prefix)/status"]))
  }
}
