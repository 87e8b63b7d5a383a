import MQTTLink
import Testing

@Suite struct BrokerAddressTests {
  @Test(arguments: [
    ("mqtt://localhost", "mqtt://localhost:1883"),
    ("mqtts://broker.example", "mqtts://broker.example:8883"),
    ("MQTT://10.0.0.7:2883", "mqtt://10.0.0.7:2883"),
    ("mqtt://[::1]", "mqtt://[::1]:1883"),
    ("mqtts://[fe80::1%eth0]:9000", "mqtts://[fe80::1%eth0]:9000"),
    ("mqtt://host/", "mqtt://host:1883"),
  ])
  func reads(text: String, written: String) throws {
    #expect(try BrokerAddress(parsing: text).description == written)
  }

  @Test(arguments: [
    ("localhost:1883", BrokerAddressError.scheme("localhost:1883")),
    ("http://host", .scheme("http://host")),
    ("mqtt://user:secret@host", .userInformation("mqtt://user:secret@host")),
    ("mqtt://host/topic", .path("mqtt://host/topic", after: "/")),
    ("mqtt://host?x=1", .path("mqtt://host?x=1", after: "?")),
    ("mqtt://", .host("mqtt://")),
    ("mqtt://:1883", .host("mqtt://:1883")),
    ("mqtt://[::1", .host("mqtt://[::1")),
    ("mqtt://[host]", .host("mqtt://[host]")),
    ("mqtt://host:", .port("mqtt://host:")),
    ("mqtt://host:0", .port("mqtt://host:0")),
    ("mqtt://host:65536", .port("mqtt://host:65536")),
    ("mqtt://host:+1883", .port("mqtt://host:+1883")),
    ("mqtt://::1:1883", .port("mqtt://::1:1883")),
    ("mqtt://[::1]x", .port("mqtt://[::1]x")),
  ])
  func refuses(text: String, error: BrokerAddressError) {
    #expect(throws: error) { try BrokerAddress(parsing: text) }
  }

  @Test func neverRepeatsAPassword() {
    #expect(!BrokerAddressError.userInformation("mqtt://user:secret@host").description.contains("secret"))
  }
}
