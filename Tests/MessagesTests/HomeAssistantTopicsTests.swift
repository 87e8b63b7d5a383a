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
    #expect(HomeAssistantTopics(prefix: prefix, id: id).discovery == topic)
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
    let topics = HomeAssistantTopics(prefix: prefix, id: "kitchen")
    let message = IncomingMessage(topic: topic, payload: Array(payload.utf8), isRetained: false)
    #expect(topics.isBirth(message) == isBirth)
    #expect(Set(topics.births).isSuperset(of: ["homeassistant/status", "\(prefix)/status"]))
  }
}
