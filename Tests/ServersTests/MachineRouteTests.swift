import Languages
import Logging
import NIOHTTP1
import Testing
import Weighing

@testable import Servers

/// The path of the machine: open until it is set up, then as the settings are.
struct MachineRouteTests {
  private static let paired = "0123456789abcdef0123456789abcdef"
  private static let owner = ["Authorization: Bearer 0123456789abcdef"]

  /// A machine as a source shows it; its dashboard needs a token, as every client that is not on the machine itself does.
  private func machine(isSetUp: Bool, isPairing: Bool = true) async throws -> WritingPath {
    let source = MachineSource(
      isSetUp: { isSetUp },
      state: { mayAct, completion in
        completion(mayAct || !isSetUp ? .state(Array(#"{"ok":true,"state":"shown"}"#.utf8)) : .forbidden)
      },
      perform: { body, mayAct, completion in
        guard mayAct || !isSetUp else { return completion(.forbidden) }
        let answer: MachineAnswer =
          switch String(decoding: body, as: UTF8.self) {
          case "bad": .badPayload(Sentence(.parameterMissing).about("do"))
          case "invalid": .invalid([SettingsFault(path: "wifi_password", message: .verbatim("at least 8 characters"))])
          case "busy": .busy
          case "silent": .silent
          default: .state(Array(#"{"ok":true,"state":"changed"}"#.utf8))
          }
        completion(answer)
      }, backup: { _, completion in completion(.noBackup) }, upload: { _, _, _, completion in completion(.silent) })
    let dashboard = try await RunningDashboard(
      { settings in
        settings.token = Token("0123456789abcdef")
        if isPairing { settings.isPaired = { $0 == Self.paired } }
      },
      calibrating: CalibratingSource(
        state: { $0(Array(#"{"state":"none"}"#.utf8)) }, perform: { $1(.success(Array(#"{"state":"active"}"#.utf8))) },
        certificate: { $0(.success("PASS")) }), machine: source)
    return WritingPath(path: "/api/machine", dashboard: dashboard)
  }

  /// Before the set-up a load cell is calibrated without a press, which it could not recognise; actions and settings need the right.
  @Test(arguments: [false, true]) func calibratesWithoutAPressUntilItIsSetUp(_ isSetUp: Bool) async throws {
    let dashboard = try await machine(isSetUp: isSetUp).dashboard
    let session = WritingPath(path: "/api/calibration/session", dashboard: dashboard)
    #expect(try await session.post("{}").status == (isSetUp ? 401 : 200))
    #expect(try await session.post("{}", []).status == 415)
    #expect(try await session.post("{}", WritingPath.json + ["Origin: http://evil.local"]).status == 403)
    #expect(try await session.post("{}", WritingPath.json + Self.owner).status == 200)
    #expect(try await WritingPath(path: "/api/action/tare", dashboard: dashboard).post("").status == 401)
  }

  /// Headers, and the status of reading and of writing before and after the set-up.
  private static let accesses: [(headers: [String], before: (Int, Int), after: (Int, Int))] = [
    (WritingPath.json, (200, 200), (401, 401)),
    (WritingPath.json + owner, (200, 200), (200, 200)),
    (WritingPath.json + ["Authorization: Bearer \(paired)"], (200, 200), (200, 200)),
    (WritingPath.json + ["Authorization: Bearer wrongwrongwrongwrong"], (200, 200), (401, 401)),
    // Another network's pages and forms, whatever the state.
    ([], (200, 415), (401, 415)),
    (["Content-Type: text/plain"], (200, 415), (401, 415)),
    (owner, (200, 415), (200, 415)),
    (WritingPath.json + ["Origin: http://evil.local"], (200, 403), (401, 403)),
    (WritingPath.json + owner + ["Origin: http://evil.local"], (200, 403), (200, 403)),
    (WritingPath.json + ["Origin: null"], (200, 403), (401, 403)),
    (WritingPath.json + ["Sec-Fetch-Site: cross-site"], (403, 403), (403, 403)),
    (WritingPath.json + owner + ["Sec-Fetch-Site: same-site"], (403, 403), (403, 403)),
  ]

  @Test(arguments: accesses.indices, [false, true]) func grants(_ index: Int, _ isSetUp: Bool) async throws {
    let (machine, access) = (try await machine(isSetUp: isSetUp), Self.accesses[index])
    let expected = isSetUp ? access.after : access.before
    let (read, written) = (try await machine.get(access.headers), try await machine.post("{}", access.headers))
    #expect(read.status == expected.0 && written.status == expected.1, "\(access.headers)")
    #expect(read.contains("shown") == (expected.0 == 200) && written.contains("changed") == (expected.1 == 200))
  }

  /// The names under which a newcomer opens the page, and those of DNS rebinding.
  @Test(arguments: [
    ("grampad.local", 200), ("GRAMPAD.LOCAL:80", 200), ("grampad-2.local", 200), ("10.42.0.1", 200), ("[fe80::1]", 200),
    ("localhost", 200), (HostName.machine ?? "localhost", 200), ("evil.example", 421), ("local", 421),
    ("grampad.local.evil.example", 421), ("", 400),
  ])
  func knowsItsNames(_ host: String, _ status: Int) async throws {
    let machine = try await machine(isSetUp: false)
    let text = "GET /api/machine HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
    #expect(try await RawClient.ask(machine.dashboard.port, text).status == status)
  }

  /// A phone in the access point looks for the Internet, under a name that is resolved to the machine, and is led to the set-up.
  @Test(arguments: [
    ("10.71.80.23", "GET /generate_204", "connectivitycheck.gstatic.com", false, 302),
    ("::ffff:10.71.80.23", "HEAD /hotspot-detect.html", "captive.apple.com", false, 302),
    ("10.71.80.23", "GET /connecttest.txt", "www.msftconnecttest.com", true, 421),
    ("10.71.80.23", "POST /api/machine", "captive.apple.com", false, 421),
    ("10.71.80.23", "GET /nothing", "10.71.80.1", false, 404),
    ("192.168.1.9", "GET /generate_204", "connectivitycheck.gstatic.com", false, 421),
  ])
  func leadsPhonesToTheSetUp(
    _ client: String, _ line: String, _ host: String, _ isSetUp: Bool, _ status: Int
  ) async throws {
    let loop = ServerLoop()
    defer { loop.stop() }
    let source = MachineSource(
      isSetUp: { isSetUp }, state: { $1(isSetUp ? .forbidden : .state(Array("{}".utf8))) },
      perform: { $2(.forbidden) }, backup: { $1(.forbidden) }, upload: { $3(.forbidden) })
    let router = DashboardRouter(
      DashboardServer.Settings(),
      sources: DashboardSources(
        act: { $1(nil) }, weighings: { [] }, table: { _, _, _ in }, totals: { _, _ in }, history: { _, _ in },
        calibration: { [] }, curve: { _ in [] }, manifest: { _ in [] }, machine: source),
      viewers: Viewers(feeds: FeedCache(), limits: Limits(), on: loop), trace: NetTrace(), counters: EventCounters(),
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    let head = try RequestHead("\(line) HTTP/1.1\r\nHost: \(host)".utf8, limits: Limits())
    let request = Request(head: head, body: [], client: try #require(ClientAddress(client)))
    let response =
      switch router.answer(to: request) {
      case .response(let response): response
      case .later(let work): await withCheckedContinuation { waiting in work { waiting.resume(returning: $0) } }
      case .waiting, .webSocket: Response("", "")
      }
    #expect(Int(response.status.code) == status)
    #expect(response.headers.first(name: "Location") == (status == 302 ? "http://10.71.80.1/#/setup" : nil))
  }

  @Test func answersWithTheStateOrTheReason() async throws {
    let machine = try await machine(isSetUp: false)
    for (body, status, words) in [
      ("bad", 400, "do: missing"), ("busy", 503, "Retry-After: 2"), ("silent", 503, #""reason":"machine_silent""#),
      ("invalid", 422, #""faults":[{"path":"wifi_password","message":"at least 8 characters","#),
    ] {
      let answer = try await machine.post(body)
      #expect(answer.status == status && answer.contains(words), "\(body): \(answer)")
    }
    #expect(try await machine.post(String(repeating: "x", count: 4097)).status == 413)
  }

  @Test(arguments: [false, true]) func hasTwoMethods(_ isSetUp: Bool) async throws {
    let machine = try await machine(isSetUp: isSetUp)
    for method in ["DELETE", "PUT", "PATCH"] {
      let answer = try await RawClient.request(machine.dashboard.port, "\(method) /api/machine", WritingPath.json)
      #expect(answer.status == 405 && answer.contains("Allow: GET, HEAD, POST"))
    }
  }

  /// A token that is no longer accepted opens nothing, and without pairing only the owner has one.
  @Test func withoutPairingOnlyTheOwnerSeesIt() async throws {
    let machine = try await machine(isSetUp: true, isPairing: false)
    #expect(try await machine.get(["Authorization: Bearer \(Self.paired)"]).status == 401)
    #expect(try await machine.get(Self.owner).status == 200)
  }

  @Test func isMissingWithoutTheImage() async throws {
    let machine = WritingPath(path: "/api/machine", dashboard: try await RunningDashboard())
    #expect(try await machine.get().status == 404)
    #expect(try await machine.post("{}").status == 404)
  }
}
