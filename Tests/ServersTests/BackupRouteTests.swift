import Synchronization
import Testing
import Weighing

@testable import Servers

/// The backup of a machine, and a backup to restore: the rules are those of its state.
struct BackupRouteTests {
  private static let file = ["Content-Type: application/octet-stream"]
  private static let owner = ["Authorization: Bearer 0123456789abcdef"]

  /// What was uploaded, as offset and length.
  private final class Uploads: Sendable {
    let list = Mutex<[[Int]]>([])
  }

  /// Pieces of a backup; after them its end, or that it cannot be read.
  private final class Pieces: Sendable {
    private let left: Mutex<[[UInt8]?]>

    init(_ pieces: [[UInt8]?]) { left = Mutex(pieces) }

    func next() -> [UInt8]? { left.withLock { $0.isEmpty ? [] : $0.removeFirst() } }
  }

  private func machine(
    isSetUp: Bool, pieces: [[UInt8]?]? = [], uploads: Uploads = Uploads(), answer: MachineAnswer? = nil
  ) async throws -> RunningDashboard {
    let source = MachineSource(
      isSetUp: { isSetUp }, state: { $1(.silent) }, perform: { $2(.silent) },
      backup: { mayAct, completion in
        guard mayAct || !isSetUp else { return completion(.forbidden) }
        guard let pieces else { return completion(.noBackup) }
        let left = Pieces(pieces)
        completion(.file(MachineBackup { $0(left.next()) }))
      },
      upload: { bytes, offset, mayAct, completion in
        guard mayAct || !isSetUp else { return completion(.forbidden) }
        uploads.list.withLock { $0.append([offset, bytes.count]) }
        completion(answer ?? .state(Array(#"{"ok":true}"#.utf8)))
      })
    return try await RunningDashboard({ $0.token = Token("0123456789abcdef") }, machine: source)
  }

  private func send(
    _ dashboard: RunningDashboard, _ query: String = "?offset=0", _ headers: [String] = file, body: String = "piece"
  ) async throws -> String {
    try await RawClient.request(dashboard.port, "POST /api/machine/restore\(query)", headers, body: body)
  }

  /// Headers, and the status of fetching and of uploading before and after the set-up.
  private static let accesses: [(headers: [String], before: (Int, Int), after: (Int, Int))] = [
    (file, (200, 200), (401, 401)),
    (file + owner, (200, 200), (200, 200)),
    (file + ["Authorization: Bearer wrongwrongwrongwrong"], (200, 200), (401, 401)),
    (owner, (200, 415), (200, 415)),
    (WritingPath.json + owner, (200, 415), (200, 415)),
    (["Content-Type: text/plain"] + owner, (200, 415), (200, 415)),
    (file + owner + ["Origin: http://evil.local"], (200, 403), (200, 403)),
    (file + owner + ["Sec-Fetch-Site: cross-site"], (403, 403), (403, 403)),
    (file + ["X-Forwarded-For: 10.0.0.1"], (200, 200), (401, 401)),
  ]

  @Test(arguments: accesses.indices, [false, true]) func grants(_ index: Int, _ isSetUp: Bool) async throws {
    let (uploads, access) = (Uploads(), Self.accesses[index])
    let dashboard = try await machine(isSetUp: isSetUp, pieces: [Array("secret".utf8)], uploads: uploads)
    let expected = isSetUp ? access.after : access.before
    let fetched = try await RawClient.request(dashboard.port, "GET /api/machine/backup", access.headers)
    #expect(fetched.status == expected.0 && fetched.contains("secret") == (expected.0 == 200), "\(fetched)")
    #expect(try await send(dashboard, "", access.headers).status == expected.1)
    #expect(uploads.list.withLock { $0 } == (expected.1 == 200 ? [[0, 5]] : []))
  }

  /// The file is sent piece by piece, as a download that no one else keeps.
  @Test func sendsTheFileWhileItReadsIt() async throws {
    let pieces = (0..<40).map { [UInt8](repeating: UInt8(ascii: "a") + $0 % 26, count: 1 << 16) }
    let dashboard = try await machine(isSetUp: false, pieces: pieces)
    let answer = try await RawClient.request(dashboard.port, "GET /api/machine/backup")
    let head = try #require(answer.components(separatedBy: "\r\n\r\n").first)
    for line in [
      "Content-Type: application/x-tar", "Content-Disposition: attachment; filename=\"grampad-machine.tar\"",
      "Cache-Control: no-store", "Transfer-Encoding: chunked",
    ] { #expect(head.contains(line), "\(head)") }
    let text = pieces.map { "10000\r\n" + String(decoding: $0, as: UTF8.self) + "\r\n" }.joined()
    #expect(answer.hasSuffix(text + "0\r\n\r\n"))
    let asked = try await RawClient.request(dashboard.port, "HEAD /api/machine/backup")
    #expect(asked.status == 200 && asked.hasSuffix("\r\n\r\n"))
  }

  /// A file that cannot be read to its end is not taken for a whole one.
  @Test func aFileThatCannotBeReadHasNoLastChunk() async throws {
    let dashboard = try await machine(isSetUp: false, pieces: [Array("half".utf8), nil])
    let answer = try await RawClient.request(dashboard.port, "GET /api/machine/backup")
    #expect(answer.contains("half") && !answer.hasSuffix("0\r\n\r\n"))
    let none = try await machine(isSetUp: false, pieces: nil)
    let missing = try await RawClient.request(none.port, "GET /api/machine/backup")
    #expect(missing.status == 404 && missing.contains(#""reason":"no_backup""#))
  }

  /// Pieces have the size of the largest body, and nothing arrives of one that is too large, cut off or at no number.
  @Test func takesPieces() async throws {
    let uploads = Uploads()
    let dashboard = try await machine(isSetUp: false, uploads: uploads)
    let largest = String(repeating: "x", count: Limits().settingsBytes)
    #expect(try await send(dashboard, "?offset=1099511627776", body: largest).status == 200)
    #expect(try await send(dashboard, "", body: "").status == 200)
    #expect(try await send(dashboard, body: largest + "x").status == 413)
    for query in ["?offset=-1", "?offset=1e3", "?offset=1099511627777", "?offset=", "?offset=0&offset=1", "?path=/etc"]
    {
      #expect(try await send(dashboard, query).status == 400, "\(query)")
    }
    let cut = try RawClient(dashboard.port)
    let head = ["POST /api/machine/restore?offset=0 HTTP/1.1", "Host: 127.0.0.1", "Content-Length: 10"] + Self.file
    cut.send(head.joined(separator: "\r\n") + "\r\n\r\nhalf")
    cut.reset()
    withExtendedLifetime(cut) {}
    let chunked = Self.file + ["Transfer-Encoding: chunked"]
    #expect(try await send(dashboard, "?offset=0", chunked, body: "").status == 411)
    #expect(uploads.list.withLock { $0 } == [[1 << 40, Limits().settingsBytes], [0, 0]])
  }

  @Test(arguments: [
    (MachineAnswer.misplaced, 409, "wrong_offset"), (.noRoom, 507, "no_room"), (.silent, 503, "machine_silent"),
  ])
  func saysWhyAPieceIsNotStored(_ answer: MachineAnswer, _ status: Int, _ reason: String) async throws {
    let dashboard = try await machine(isSetUp: false, answer: answer)
    let refused = try await send(dashboard)
    #expect(refused.status == status && refused.contains(#""reason":"\#(reason)""#))
  }

  @Test func hasOneMethodEach() async throws {
    let dashboard = try await machine(isSetUp: false)
    for (line, allowed) in [("POST /api/machine/backup", "GET, HEAD"), ("GET /api/machine/restore", "POST")] {
      let answer = try await RawClient.request(dashboard.port, line, Self.file)
      #expect(answer.status == 405 && answer.contains("Allow: \(allowed)\r\n"))
    }
    let other = try await RunningDashboard()
    #expect(try await RawClient.request(other.port, "GET /api/machine/backup").status == 404)
    #expect(try await send(other).status == 404)
  }
}
