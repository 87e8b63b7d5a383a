import Foundation
import Languages
import Messages
import Testing
import Weighing

@testable import Servers

/// The real server on loopback.
@Suite(.serialized)
struct ServerTests {
  @Test(arguments: [
    ("127.0.0.1", "http://127.0.0.1:8385"), ("fd00::1", "http://[fd00::1]:8385"),
    ("0.0.0.0", "http://\(HostName.published(HostName.machine)):8385"),
    ("::", "http://\(HostName.published(HostName.machine)):8385"),
  ]) func hasAURL(_ address: String, _ url: String) {
    #expect(DashboardServer.url(address: address, port: 8385) == url)
  }

  /// Its own page accepts the name that is published.
  @Test(arguments: [
    ("scale", "scale.local"), ("scale.example.org", "scale.example.org"), ("scale.local", "scale.local"),
    ("localhost", "localhost"), (nil, "localhost"),
  ]) func publishesAName(_ machine: String?, _ name: String) {
    #expect(HostName.published(machine) == name)
    let own = HostName.published(HostName.machine)
    #expect(HostName.own.contains(own) || HostName(header: own)?.isLinkLocal == true)
  }

  @Test(arguments: [
    ("/", "text/html; charset=utf-8"), ("/page.css", "text/css; charset=utf-8"),
    ("/page.js", "text/javascript; charset=utf-8"), ("/icon.svg", "image/svg+xml"),
    ("/healthz", "application/json"), ("/metrics", "text/plain; version=0.0.4; charset=utf-8"),
    ("/api/weighings.csv", "text/csv; charset=utf-8"),
  ])
  func serves(_ path: String, _ type: String) async throws {
    let dashboard = try await RunningDashboard()
    let answer = try await RawClient.request(dashboard.port, "GET \(path)")
    #expect(answer.contains("Content-Type: \(type)\r\n"))
    #expect(answer.contains("Content-Security-Policy: default-src 'self';"))
    #expect(answer.contains("X-Content-Type-Options: nosniff\r\n"))
    #expect(!answer.contains("Access-Control"))
  }

  /// The first view is what `index.html` names and its modules import; all views are all files but the sentences of the scale.
  @Test(arguments: Language.allCases) func thePageIsSmallAndAlone(_ language: Language) async throws {
    let dashboard = try await RunningDashboard()
    var files: [String: Data] = [:]
    for path in Page.paths where path != "/kiosk" && path != "/service-texts.js" && !path.hasSuffix(".png") {
      let answer = try await RawClient.request(dashboard.port, "GET \(path)", ["Accept-Language: \(language.rawValue)"])
      #expect(answer.status == 200)
      // The name of a vocabulary, and references within the page itself, ask for nothing.
      let body = answer.replacing("http://www.w3.org/", with: "").replacing("url(#", with: "")
      #expect(!body.contains("http://") && !body.contains("https://") && !body.contains("url("), "\(path)")
      #expect(!body.contains("style=\"") && !(path == "/" && body.contains("onclick")), "\(path)")
      files[path] = Data(answer.components(separatedBy: "\r\n\r\n").dropFirst().joined().utf8)
    }
    var first: Set<String> = ["/", "/page.css", "/page.js", "/live.js", "/icon.svg"]
    var waiting = first
    while let path = waiting.popFirst() {
      let source = String(decoding: try #require(files[path], "\(path)"), as: UTF8.self)
      for match in source.matches(of: /(?m)^(?:import|export)\b[^;]*?'\.\/([\w-]+\.js)';/) {
        if first.insert("/\(match.1)").inserted { waiting.insert("/\(match.1)") }
      }
    }
    // The server finds the texts of the first view by the modules that `index.html` names.
    let texts = String(decoding: try #require(files["/language.js"]), as: UTF8.self)
    for path in first {
      let source = String(decoding: try #require(files[path], "\(path)"), as: UTF8.self)
      // But for the name of the module `texts.js`.
      for match in source.matches(of: /\btexts\.(?!js\b)(\w+)|\bsay\('(\w+)'|data-(?:t|label|placeholder)="(\w+)"/) {
        let key = String(match.1 ?? match.2 ?? match.3 ?? "")
        #expect(texts.contains("\"\(key)\":"), "\(path): \(key)")
      }
    }
    func total(_ paths: some Collection<String>) throws -> (plain: Int, compressed: Int) {
      let contents = paths.compactMap { files[$0] }
      return (contents.map(\.count).reduce(0, +), try contents.map(Self.compressedCount).reduce(0, +))
    }
    let (opening, all) = (try total(first), try total(files.keys))
    print("the page in \(language): first view \(opening), all views \(all), \(first.sorted().joined(separator: " "))")
    #expect(opening.plain < 61_000 && opening.compressed < 22_700)
    #expect(all.plain < 370_000 && all.compressed < 138_000)
  }

  /// The server removes comments and indentation line by line.
  @Test func theCodeOfThePageHasNoTextOverSeveralLines() async throws {
    let dashboard = try await RunningDashboard()
    for path in Page.paths where path.hasSuffix(".css") || path.hasSuffix(".js") {
      if path.hasSuffix("language.js") || path == "/service-texts.js" { continue }
      let body = try await RawClient.request(dashboard.port, "GET \(path)").components(separatedBy: "\r\n\r\n")[1]
      let lines = body.split(separator: "\n")
      #expect(lines.count > 5)
      for line in lines {
        // An expression may be broken within a template literal, its text may not.
        let isWhole = line.count { $0 == "`" } % 2 == 0 || line.contains("${") || line.contains("}")
        #expect(isWhole, "\(path): \(line)")
        #expect(!line.hasPrefix("//") && !line.hasPrefix("/*") && !line.hasPrefix(" ") && !line.hasSuffix("*/"))
      }
    }
  }

  @Test func onlyLinesOfCommentsAreRemoved() {
    let source = """
      // Alone
      a = 1; // after code

      /* Over
         two lines */
        b = '/* no comment */';
      /** One line. */
      c = `http://x`;
      """
    #expect(
      String(decoding: Page.withoutComments(Array(source.utf8)), as: UTF8.self)
        == "a = 1; // after code\nb = '/* no comment */';\nc = `http://x`;\n")
  }

  @Test func onlySpacesThatSeparateNothingAreRemoved() throws {
    let source = "@media (a: 1) and (b) {\n  a > b, :is(c, d) :e { f: 1 2; g: calc(1px + 2px) \"h i\"; }\n}\n"
    let css = "@media (a:1) and (b){\na>b,:is(c,d) :e{f:1 2;g:calc(1px + 2px) \"h i\"}\n}\n"
    let indented = Page.withoutComments(Array(source.utf8))
    #expect(String(decoding: Page.withoutSpaces(indented), as: UTF8.self) == css)
    // No text of a style sheet has such a space.
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/Servers/Page")
    for path in Page.paths where path.hasSuffix(".css") {
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      let served = String(decoding: try #require(Page.file(path, .english)).bytes, as: UTF8.self)
      for match in text.matches(of: /"[^"]*"/) { #expect(served.contains(match.0), "\(path): \(match.0)") }
    }
  }

  /// The number of bytes of a file after `gzip`, as a reverse proxy sends it.
  private static func compressedCount(_ bytes: Data) throws -> Int {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("page-\(UUID().uuidString)")
    try bytes.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "--best", "--no-name", "--stdout", file.path]
    process.standardOutput = output
    try process.run()
    let compressed = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0 && !compressed.isEmpty)
    return compressed.count
  }

  struct Refused: CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let status: Int

    init(_ name: String, _ text: String, _ status: Int) {
      (testDescription, self.text, self.status) = (name, text, status)
    }
  }

  @Test(arguments: [
    Refused("a head too long", "GET / HTTP/1.1\r\nA: \(String(repeating: "a", count: 9000))", 431),
    Refused("a head too long that ends", "GET / HTTP/1.1\r\nA: \(String(repeating: "a", count: 9000))\r\n\r\n", 431),
    Refused("many headers", "GET / HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 2000), 431),
    Refused("a body too long", "POST /api/action/tare HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 5000\r\n\r\n", 413),
    Refused("a body in chunks", "POST / HTTP/1.1\r\nHost: [::1]\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
    Refused("no HTTP", "hello\r\n\r\n", 400),
    Refused("TLS", "\u{16}\u{3}\u{1}\r\n\r\n", 400),
    Refused("an unknown path", "GET /etc/passwd HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n", 404),
    Refused("a path upwards", "GET /../page.js HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n", 404),
    Refused("another name", "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", 421),
    Refused("no name", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400),
    Refused("an unknown path by POST", "POST /nothing HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n", 404),
    Refused(
      "an unknown action by GET", "GET /api/action/a/b HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n", 404),
    Refused("another expectation", "POST /api/action/tare HTTP/1.1\r\nHost: [::1]\r\nExpect: tea\r\n\r\n", 417),
    Refused("an action by GET", "GET /api/action/tare HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n", 405),
    Refused("a page by POST", "POST / HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n", 405),
    Refused("a question before", "OPTIONS /api/action/tare HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n", 405),
    Refused(
      "data for another site",
      "GET /api/weighings HTTP/1.1\r\nHost: [::1]\r\nSec-Fetch-Site: cross-site\r\nConnection: close\r\n\r\n", 403),
  ])
  func refuses(_ it: Refused) async throws {
    let dashboard = try await RunningDashboard()
    let answer = try await RawClient.ask(dashboard.port, it.text)
    #expect(answer.status == it.status)
    // A sentence for people, whatever it is.
    #expect(answer.contains(#""ok":false,"reason":""#) && answer.contains(#""detail":""#))
    #expect(answer.contains("\r\nAllow: ") == (it.status == 405))
    #expect(dashboard.acted.isEmpty)
  }

  @Test(arguments: [
    ("tare", "{}", 200, "tare"), ("tare", "", 200, "tare"), ("commit", #"{"label":"beans"}"#, 200, "commit beans"),
    ("beans-1", "{}", 200, "beans-1"), ("commit", #"{"label":""}"#, 400, ""), ("commit", #"{"label":5}"#, 400, ""),
    ("commit", #"{"label":"a\u0000b"}"#, 400, ""), ("commit", #"{"labels":"a"}"#, 400, ""), ("commit", "[]", 400, ""),
    ("commit", "{", 400, ""),
    ("tare", #"{"tare_g":52.3}"#, 200, "tare tare(Weighing.PresetTare.mass(Weighing.Grams(value: 52.3)))"),
    ("timer", #"{"do":"start","source":"mqtt"}"#, 200, "timer timer(Weighing.TimerCommand.start)"),
    ("timer", "{}", 400, ""), ("target", #"{"target_g":-1}"#, 400, ""), ("target", "{}", 200, "target"),
    ("container", #"{"name":"jug","label":5}"#, 400, ""), ("a/b", "{}", 404, ""), ("%74are", "{}", 404, ""),
    ("", "{}", 404, ""),
  ])
  func acts(_ name: String, _ body: String, _ status: Int, _ acted: String) async throws {
    let dashboard = try await RunningDashboard()
    let answer = try await RawClient.request(
      dashboard.port, "POST /api/action/\(name)", ["Content-Type: application/json"], body: body)
    #expect(answer.status == status)
    #expect(dashboard.acted == (acted.isEmpty ? [] : [acted]))
  }

  @Test func aRequestInTheBodyOfAnotherIsNone() async throws {
    let dashboard = try await RunningDashboard()
    let hidden =
      "POST /api/action/zero HTTP/1.1\r\nHost: [::1]\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
    let outer = "POST /api/action/tare HTTP/1.1\r\nHost: [::1]\r\nOrigin: http://evil\r\nContent-Type: text/plain\r\n"
    // Short: taken with the request that is refused. Long: the connection ends.
    let client = try RawClient(dashboard.port)
    client.send(outer + "Content-Length: \(hidden.utf8.count)\r\n\r\n" + hidden)
    _ = await client.read(within: .seconds(1))
    _ = try await RawClient.ask(
      dashboard.port, outer + "Content-Length: 3000000\r\n\r\n" + String(repeating: "x", count: 5000) + hidden)
    #expect(dashboard.acted.isEmpty)
  }

  @Test(arguments: [("POST /", "GET, HEAD"), ("DELETE /api/weighings", "GET, HEAD"), ("GET /api/action/tare", "POST")])
  func saysWhichMethodsAreAllowed(_ line: String, _ allowed: String) async throws {
    let dashboard = try await RunningDashboard()
    let answer = try await RawClient.request(dashboard.port, line)
    #expect(answer.status == 405 && answer.contains("\r\nAllow: \(allowed)\r\n"))
    #expect(answer.contains(#""detail":"Method not allowed.""#))
  }

  @Test func asksForTheBodyOfAClientThatWaits() async throws {
    let dashboard = try await RunningDashboard()
    let client = try RawClient(dashboard.port)
    let head = "POST /api/action/tare HTTP/1.1\r\nHost: [::1]\r\nContent-Type: application/json\r\n"
    client.send(head + "Content-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n")
    let first = await client.read(within: .seconds(30)) { $0.hasSuffix("\r\n\r\n") }.text
    #expect(first == "HTTP/1.1 100 Continue\r\n\r\n")
    client.send("{}")
    #expect(await client.read().text.status == 200)
    #expect(dashboard.acted == ["tare"])
  }

  @Test func aBodyThatIsRefusedIsNotAskedFor() async throws {
    let dashboard = try await RunningDashboard()
    let answer = try await RawClient.ask(
      dashboard.port,
      "POST /api/action/tare HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 5000\r\nExpect: 100-continue\r\n\r\n")
    #expect(answer.status == 413)
  }

  @Test func severalRequestsShareAConnection() async throws {
    let dashboard = try await RunningDashboard()
    let client = try RawClient(dashboard.port)
    let request =
      "POST /api/action/tare HTTP/1.1\r\nHost: [::1]\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
    client.send(request + request)
    _ = await client.read { $0.components(separatedBy: "200 OK").count == 3 }
    client.send(request)
    _ = await client.read { $0.contains("200 OK") }
    #expect(dashboard.acted == ["tare", "tare", "tare"])
  }

  @Test func anUnchangedFileIsNotSentAgain() async throws {
    let dashboard = try await RunningDashboard()
    let first = try await RawClient.request(dashboard.port, "GET /page.js")
    let tag = try #require(first.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") }?.dropFirst(6))
    let second = try await RawClient.request(dashboard.port, "GET /page.js", ["If-None-Match: \(tag)"])
    #expect(second.status == 304)
    #expect(second.utf8.count < 1000)
    // It would have to be that of the file.
    #expect(!second.contains("Content-Length"))
  }

  @Test func metricsAreWellFormed() async throws {
    let dashboard = try await RunningDashboard()
    dashboard.feeds.post(
      .live, Array(#"{"state":"stable","net_g":12.5,"gross_g":12.5,"tare_g":0,"uncertainty_g":null}"#.utf8))
    dashboard.feeds.post(
      .health, Array(#"{"version":"1 \"x\"","pad":{"state":"present"},"outbox":{"waiting":3,"parked":0}}"#.utf8))
    let answer = try await RawClient.request(dashboard.port, "GET /metrics")
    let body = try #require(answer.components(separatedBy: "\r\n\r\n").last)
    let line = try Regex(
      #"^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="([^"\\]|\\.)*"(,[a-z]+="([^"\\]|\\.)*")*\})? -?[0-9.e+-]+)$"#)
    for text in body.split(separator: "\n") { #expect(text.wholeMatch(of: line) != nil, "\(text)") }
    #expect(body.contains("\ngrampad_net_grams 12.5\n"))
    #expect(body.contains("\ngrampad_state{state=\"stable\"} 1\n"))
    #expect(body.contains("\ngrampad_outbox_waiting 3\n"))
    #expect(!body.contains("grampad_uncertainty_grams"))
    #expect(body.contains("\ngrampad_info{version=\"1 \\\"x\\\"\"} 1\n"))
    // That of the program, whatever `health` contains.
    #expect(body.contains("\ngrampad_build_info{version=\"\(Version.text)\",architecture=\"a"))
    let names = body.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }.map { $0.split(separator: " ")[2] }
    #expect(Set(names).count == names.count)
  }

  @Test func metricsCanBeHidden() async throws {
    let dashboard = try await RunningDashboard { $0.hasMetrics = false }
    #expect(try await RawClient.request(dashboard.port, "GET /metrics").status == 404)
  }

  @Test func healthTellsWhatIsWrong() async throws {
    let dashboard = try await RunningDashboard()
    #expect(try await RawClient.request(dashboard.port, "GET /healthz").status == 503)
    dashboard.feeds.post(.live, Array("{}".utf8))
    let parts = #""pad":{"state":"present"},"journal":{"state":"available"},"configuration":{"state":"in_force"}"#
    dashboard.feeds.post(
      .health, Array("{\(parts),\"broker\":{\"state\":\"disconnected\",\"reason\":\"refused\"}}".utf8))
    let degraded = try await RawClient.request(dashboard.port, "GET /healthz")
    #expect(degraded.status == 200)
    #expect(degraded.hasSuffix(#"{"status":"degraded","faults":["broker: refused"]}"#))
    dashboard.feeds.post(.health, Array("{\(parts),\"broker\":{\"state\":\"connected\"}}".utf8))
    #expect(try await RawClient.request(dashboard.port, "GET /healthz").hasSuffix(#"{"status":"ok","faults":[]}"#))
  }
}
