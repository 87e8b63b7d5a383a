import Messages
import Testing

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

  @Test func theNamesAreThoseOfTheContract() {
    #expect(
      Set(Topic.allCases.map(\.rawValue)) == [
        "availability", "health", "live", "reading", "display", "stable", "gesture", "weighing", "weighing/last",
        "event",
        "actions", "contacts", "containers", "result",
      ])
    #expect(Topic.allCases.filter(\.isText) == [.availability, .display])
  }
}
