import Foundation
import FreePorts
import Testing

/// Pairing on a running appliance, and `clients`.
@Suite struct ClientsTests {
  private static func curl(_ arguments: [String]) throws -> Program { try Program("curl", ["-s"] + arguments) }

  @Test func aClientIsPairedListedAndRevoked() async throws {
    let broker = try await Broker()
    let listener = try await Listener(broker.port)
    let port = FreePort.any()
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "scale.yaml",
      """
      pad: {device: simulated, zones: {}}
      mqtt: {broker: "mqtt://127.0.0.1:\(broker.port)"}
      dashboard: {port: \(port)}
      """)
    let program = try Program.grampad(["run", "--config", path])
    try await eventually("the dashboard listens") { FreePort.isTaken(port) }
    let none = try await Program.run(["clients", "--config", path])
    #expect(none.code == 0 && none.output == "{\"request\":null,\"clients\":[]}\n", "\(none)")

    let url = "http://127.0.0.1:\(port)"
    let json = ["-H", "Content-Type: application/json"]
    let asking = try Self.curl(json + ["-d", #"{"name": "Anna's phone"}"#, "\(url)/api/pair"])
    try await eventually("it asks") {
      listener.messages("event").contains {
        $0("type") as? String == "pairing_requested" && $0("name") as? String == "Anna's phone"
      }
    }
    let pending = try await Self.curl(["\(url)/api/clients"]).ended().output
    let id = try #require(value(in: pending, ["request", "id"]) as? String, "\(pending)")
    let allowed = try await Self.curl(json + ["-d", #"{"allow": true}"#, "\(url)/api/pair/\(id)"]).ended().output
    #expect(allowed == #"{"ok":true}"#)
    let answer = try await asking.ended().output
    let token = try #require(value(in: answer, ["token"]) as? String, "\(answer)")
    try await eventually("it is granted") {
      listener.messages("event").contains { $0("type") as? String == "pairing_granted" }
    }

    let listed = try await Program.run(["clients", "--config", path])
    let client = try #require(value(in: answer, ["id"]) as? String)
    #expect(listed.output.contains(#""id":"\#(client)","kind":"page","name":"Anna's phone""#), "\(listed)")
    let remote = try await Program.run(["clients", "revoke", client, "--appliance", url])
    #expect(remote.code == 0 && remote.output == "Revoked \(client).\n", "\(remote)")
    let again = try await Program.run(["clients", "revoke", client, "--config", path])
    #expect(again.code == 1 && again.complaints.contains(client), "\(again)")
    program.send(SIGTERM)
    #expect(try await program.ended().code == 0)
    #expect(!program.complaints.contains(token) && !listener.messages("event").contains { $0.payload.contains(token) })
    let gone = try await Program.run(["clients", "--config", path])
    #expect(gone.code == 69, "\(gone)")
  }

  @Test(arguments: [["revoke"], ["revoke", "../x"], ["--appliance", "scale:8385"]])
  func usage(_ arguments: [String]) async throws {
    #expect(try await Program.run(["clients"] + arguments).code == 64)
  }
}
