import Announcing
import Messages
import Testing

@testable import Appliance
@testable import Servers

struct NetworkAnnouncementTests {
  /// Where the dashboard listens, and the port that is announced; `nil` if nothing is.
  @Test(
    arguments: [
      ([], nil), (["127.0.0.1 8385"], nil), (["::1 8385"], nil), (["127.0.0.2 80", "::ffff:127.0.0.1 80"], nil),
      (["0.0.0.0 8385"], 8385), (["192.0.2.7 9000"], 9000), ([":: 8385"], 8385),
      (["127.0.0.1 8385", ":: 80"], 80), (["0.0.0.0 8385", ":: 80"], 80), (["0.0.0.0 8385", "127.0.0.1 80"], 8385),
      (["0.0.0.0 8385", "192.0.2.7 8000"], 8385),
    ] as [([String], UInt16?)])
  func announcesWhatOthersCanReach(_ listening: [String], _ port: UInt16?) throws {
    let endpoints = try listening.map { text in
      let words = text.split(separator: " ")
      return NetworkAnnouncement.Endpoint(address: String(words[0]), port: try #require(UInt16(words[1])))
    }
    let version = "fw=\(Version.text)"
    let expected = port.map { port in
      [
        Announcement(
          type: "_http._tcp", name: "Kitchen", port: port,
          texts: ["path": "/", "fw": Version.text, "name": "Kitchen"]),
        Announcement(
          type: "_decentscale._tcp", name: "Kitchen", port: port,
          texts: ["path": "/snapshot", "proto": "ws", "fw": Version.text, "name": "Kitchen"]),
      ]
    }
    let announced = NetworkAnnouncement.announcements(named: "Kitchen", at: endpoints)
    #expect(announced == expected ?? [])
    #expect(announced.allSatisfy { $0.texts.contains(version) })
  }

  /// A page on loopback has no URL for other machines, nor has one on a machine without a name.
  @Test(arguments: [
    ("127.0.0.1", nil), ("127.8.0.1", nil), ("::1", nil), ("::ffff:127.0.0.1", nil),
    ("192.0.2.7", "http://192.0.2.7:8385"), ("fd00::1", "http://[fd00::1]:8385"),
    (
      "0.0.0.0",
      HostName.published(HostName.machine) == "localhost"
        ? nil : "http://\(HostName.published(HostName.machine)):8385"
    ),
  ]) func otherMachinesReachAURL(_ address: String, _ url: String?) {
    #expect(NetworkAnnouncement.Endpoint(address: address, port: 8385).remoteURL == url)
  }
}
