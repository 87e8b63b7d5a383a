import Messages
import Testing
import Weighing

@Suite struct TopicsTests {
  let topics = Topics(prefix: "home/grampad", id: "kitchen")

  @Test(arguments: Topic.allCases)
  func everyTopicIsBelowTheAppliances(_ topic: Topic) {
    let full = topics(topic)
    #expect(full == "home/grampad/kitchen/" + topic.rawValue)
    #expect(topics.below(full) == topic.rawValue)
  }

  @Test(arguments: ["home/grampad/kitchen", "home/grampad/kitchen2/live", "grampad/kitchen/live", "", "/"])
  func somebodyElsesAreNot(_ full: String) {
    #expect(topics.below(full) == nil)
  }

  @Test func whatIsBelowMayHaveLevelsOfItsOwn() {
    #expect(topics.below("home/grampad/kitchen/command/tare") == "command/tare")
  }

  @Test func aControlHasATopicOfItsOwn() throws {
    let lamp = try #require(ControlName("lamp"))
    #expect(topics.control(lamp) == "home/grampad/kitchen/control/lamp")
    #expect(topics.control(of: topics.control(lamp)) == lamp)
    #expect(topics.topic(of: topics.control(lamp)) == .control)
    #expect(topics.topic(of: "home/grampad/kitchen/live") == .live)
    for other in ["control/", "control/a/b", "control/a b", "live", "command/tare"] {
      #expect(topics.control(of: "home/grampad/kitchen/" + other) == nil)
    }
    #expect(topics.topic(of: "home/grampad/kitchen/command/tare") == nil)
    #expect(topics.topic(of: "elsewhere/control/lamp") == nil)
  }

  @Test func theNamesAreThoseOfTheContract() {
    #expect(
      Set(Topic.allCases.map(\.rawValue)) == [
        "availability", "health", "live", "reading", "display", "stable", "gesture", "weighing", "weighing/last",
        "event",
        "actions", "contacts", "containers", "learned", "result", "control",
      ])
    #expect(Topic.allCases.filter(\.isText) == [.availability, .display])
  }
}
