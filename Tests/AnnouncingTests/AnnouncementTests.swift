import Testing

@testable import Announcing

struct AnnouncementTests {
  /// RFC 6763 limits a name to 63 bytes and a text to 255; whole characters stay.
  @Test(arguments: [
    ("Kitchen", "Kitchen"), (String(repeating: "x", count: 64), String(repeating: "x", count: 63)),
    (String(repeating: "ä", count: 32), String(repeating: "ä", count: 31)),
    (String(repeating: "x", count: 62) + "👩‍🍳", String(repeating: "x", count: 62)),
  ])
  func hasAName(_ name: String, _ announced: String) {
    let announcement = Announcement(type: "_http._tcp", name: name, port: 80, texts: ["name": name])
    #expect(announcement.name == announced)
    #expect(announcement.texts == ["name=\(name)"])
  }

  @Test func aTextIsNotTooLong() {
    let announcement = Announcement(
      type: "_http._tcp", name: "", port: 80, texts: ["name": String(repeating: "ä", count: 128), "path": "/"])
    #expect(announcement.texts == ["name=" + String(repeating: "ä", count: 125), "path=/"])
  }
}
