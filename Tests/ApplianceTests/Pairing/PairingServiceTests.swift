import Foundation
import Linux
import Logging
import Messages
import Synchronization
import Testing
import Weighing

@testable import Appliance
@testable import Servers

/// The clients that a press has paired, from the request to the file.
@Suite struct PairingServiceTests {
  /// A scale without a pad, whose effects the service handles at once; a user answers in the page.
  private final class Scale: Sendable {
    private struct State: Sendable {
      var machine = ScaleMachine(settings: ScaleSettings(), at: Instant(nanoseconds: 1_000_000_000))
      var now = Instant(nanoseconds: 1_000_000_000)
      var day = 1_800_000_000
      var shown: PairingRequest?
    }

    private let state = Mutex(State())
    private let own = Mutex<PairingService?>(nil)

    /// - Parameter path: The file of the clients.
    init(path: String?) {
      let service = PairingService(
        path: path, logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
        clock: { [weak self] in self?.state.withLock(\.now) ?? .now() },
        day: { [weak self] in self?.state.withLock(\.day) ?? 0 },
        send: { [weak self] in self?.handle(.pairing($0)) },
        post: { [weak self] request in self?.state.withLock { $0.shown = request } })
      own.withLock { $0 = service }
    }

    var service: PairingService {
      get throws { try #require(own.withLock { $0 }) }
    }

    var shown: PairingRequest? { state.withLock(\.shown) }

    private func handle(_ input: ScaleMachine.Input) {
      pass(state.withLock { $0.machine.handle(input, at: $0.now) })
    }

    func wait(_ interval: Interval) {
      pass(
        state.withLock { state in
          state.now = state.now + interval
          state.day += Int(interval.seconds)
          return state.machine.advance(to: state.now)
        })
    }

    private func pass(_ effects: [Effect]) {
      for case .event(let event) in effects {
        guard case .pairing(let request, let progress) = event.kind else { continue }
        own.withLock { $0 }?.handle(request, progress)
      }
    }
  }

  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pairing-\(UUID().uuidString)")
  private var path: String { folder.appendingPathComponent("clients.json").path }

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  private static func client(
    _ kind: PairingClient.Kind = .page, _ address: String = "192.168.1.7"
  ) throws -> PairingClient {
    let address = try #require(ClientAddress(address))
    return try #require(PairingClient(kind, name: "Anna's \"phone\"", at: address))
  }

  /// Pairs a client by the page; returns its answer.
  private func pair(_ scale: Scale, _ address: String = "192.168.1.7") async throws -> PairingAnswer {
    let service = try scale.service
    let client = try Self.client(.page, address)
    return await completed { completion in
      let id = service.ask(client, completion)
      _ = service.decide(id, isAllowed: true)
    }
  }

  private func token(_ answer: PairingAnswer) throws -> String {
    guard case .granted(let json) = answer else { throw POSIXError(.EPERM) }
    return try #require(try JSONValue(json, maximumBytes: 4096)["token"]?.text)
  }

  @Test func aTokenIsShownOnceAndSurvivesARestart() async throws {
    let scale = Scale(path: path)
    let token = try token(try await pair(scale))
    #expect(token.count == 64)
    #expect(try scale.service.isPaired(token: token))
    #expect(try !scale.service.isPaired(token: token + "0") && !scale.service.isPaired(token: ""))
    let stored = try String(contentsOfFile: path, encoding: .utf8)
    #expect(!stored.contains(token) && stored.contains("Anna's"))
    #expect(try !scale.service.isPaired(token: String(stored.suffix(70).prefix(64))), "a digest is no token")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let next = Scale(path: path)
    #expect(try next.service.isPaired(token: token))
    let list = try await list(next)
    #expect(!list.contains(token) && !list.contains("sha256") && list.contains(#""expires":null"#), "\(list)")
  }

  private func list(_ scale: Scale) async throws -> String {
    let service = try scale.service
    let result = await completed { service.clients($0) }
    return String(decoding: try result.get(), as: UTF8.self)
  }

  @Test func aRequestIsShownUntilItEnds() async throws {
    let scale = Scale(path: nil)
    let service = try scale.service
    let client = try Self.client()
    let answer = Mutex<PairingAnswer?>(nil)
    let id = service.ask(client) { given in answer.withLock { $0 = given } }
    #expect(scale.shown?.id == id && answer.withLock { $0 } == nil)
    #expect(try await list(scale).contains(#""request":{"id":"\#(id)""#))
    #expect(!service.decide(id + 1, isAllowed: true))
    let other = await completed { _ = service.ask(client, $0) }
    #expect(other == .busy && scale.shown?.id == id)
    scale.wait(.seconds(61))
    #expect(scale.shown == nil && answer.withLock { $0 } == .refused(.timedOut))
    #expect(!service.decide(id, isAllowed: true))
  }

  @Test func itIsRefusedAndWithdrawn() throws {
    for end in 0..<3 {
      let scale = Scale(path: nil)
      let service = try scale.service
      let answer = Mutex<PairingAnswer?>(nil)
      let id = service.ask(try Self.client()) { given in answer.withLock { $0 = given } }
      switch end {
      case 0: #expect(service.decide(id, isAllowed: false))
      case 1: service.withdraw(id)
      default: service.withdraw(nil)
      }
      #expect(answer.withLock { $0 } == .refused(end == 0 ? .refused : .withdrawn) && scale.shown == nil)
    }
  }

  /// An app is told at once to wait for a press, is known by its address, and for 30 days.
  @Test func anAppIsKnownByItsAddressForAMonth() async throws {
    let scale = Scale(path: path)
    let service = try scale.service
    let app = try Self.client(.app)
    var shown: Set<UInt64> = []
    for _ in 0..<3 {
      let answer = await completed { _ = service.ask(app, $0) }
      #expect(answer == .requested)
      shown.insert(try #require(scale.shown?.id))
    }
    let id = try #require(shown.first)
    #expect(shown.count == 1, "repeated commands are no requests")
    #expect(service.decide(id, isAllowed: true))
    // The file is written when another change has been.
    _ = try await pair(scale, "192.168.1.8")
    #expect(service.isPairedApp(at: "192.168.1.7") && !service.isPairedApp(at: "192.168.1.8"))
    let next = Scale(path: path)
    #expect(try next.service.isPairedApp(at: "192.168.1.7"))
    scale.wait(.seconds(30 * 86_400 - 1))
    #expect(service.isPairedApp(at: "192.168.1.7"))
    scale.wait(.seconds(1))
    #expect(!service.isPairedApp(at: "192.168.1.7"))
    // A clock that was ahead when it was paired.
    scale.wait(.seconds(-31 * 86_400))
    #expect(!service.isPairedApp(at: "192.168.1.7"))
  }

  @Test func anAddressAsksFiveTimesAnHour() async throws {
    let scale = Scale(path: nil)
    func ask(_ address: String) async throws -> PairingAnswer {
      let (service, client) = (try scale.service, try Self.client(.page, address))
      return await completed { completion in
        let id = service.ask(client, completion)
        _ = service.decide(id, isAllowed: false)
      }
    }
    for _ in 0..<5 { #expect(try await ask("192.168.1.7") == .refused(.refused)) }
    #expect(try await ask("192.168.1.7") == .tooMany)
    #expect(try await ask("192.168.1.8") == .refused(.refused), "another address")
    scale.wait(.seconds(3599))
    #expect(try await ask("192.168.1.7") == .tooMany)
    scale.wait(.seconds(1))
    #expect(try await ask("192.168.1.7") == .refused(.refused))
    // An IPv6 client has as many addresses as it likes.
    for number in 0..<5 { #expect(try await ask("2001:db8::\(number)") == .refused(.refused)) }
    #expect(try await ask("2001:db8::7") == .tooMany)
    for number in 10..<24 { #expect(try await ask("192.168.1.\(number)") == .refused(.refused)) }
    #expect(try await ask("192.168.1.99") == .tooMany, "twenty in all")
  }

  @Test func aRevokedClientIsAStranger() async throws {
    let scale = Scale(path: path)
    let token = try token(try await pair(scale))
    let stored = try JSONValue(Array(Data(contentsOf: URL(fileURLWithPath: path))), maximumBytes: 1 << 16)
    guard case .array(let clients)? = stored["clients"], let id = clients.first?["id"]?.text else {
      throw POSIXError(.EINVAL)
    }
    let service = try scale.service
    let unknown = await completed { service.revoke("none", $0) }
    #expect(throws: RouteError.self) { try unknown.get() }
    #expect(service.isPaired(token: token))
    let revoked = await completed { service.revoke(id, $0) }
    #expect(String(decoding: try revoked.get(), as: UTF8.self) == #"{"request":null,"clients":[]}"#)
    #expect(!service.isPaired(token: token))
    #expect(try !Scale(path: path).service.isPaired(token: token))
  }

  /// Nothing is guessed from a damaged file, and nothing is written over it.
  @Test(arguments: [
    "", "{}", "[]", #"{"clients": [{}]}"#,
    #"{"clients": [{"id":"a","kind":"page","name":"n","address":"a","created_s":1}]}"#,
    #"{"clients": [{"id":"a","kind":"app","name":"n","address":"1.2.3.4","created_s":-1,"token_sha256":null}]}"#,
    #"{"clients": [{"id":"a","kind":"app","name":"n","address":"1.2.3.4","created_s":1e10,"token_sha256":null}]}"#,
  ])
  func aDamagedFileGrantsNothing(_ text: String) async throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let scale = Scale(path: path)
    let service = try scale.service
    #expect(!service.isPaired(token: "") && !service.isPairedApp(at: "1.2.3.4"))
    guard case .failed(.failed(let refusal)) = try await pair(scale) else { throw POSIXError(.EPERM) }
    #expect(refusal.reason == "clients_damaged")
    let list = await completed { service.clients($0) }
    #expect(throws: RouteError.self) { try list.get() }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  /// Clients and fields that only a newer version knows grant nothing here, and stay in the file.
  @Test func whatANewerVersionHasStoredIsKept() async throws {
    let digest = String(repeating: "a", count: 64)
    let newer = #"{"id":"b","kind":"future","name":"n","address":"1.2.3.4","scope":[1,{"x":12345678901234567890}]}"#
    let text = """
      {"clients": [\(newer), {"id":"a","kind":"page","name":"n","address":"a","created_s":1,"token_sha256":"\(digest)",
      "role":"viewer"}], "future": {"x": 1}}
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let scale = Scale(path: path)
    let token = try token(try await pair(scale))
    #expect(!(try scale.service.isPairedApp(at: "1.2.3.4")))
    let stored = try String(contentsOfFile: path, encoding: .utf8)
    for part in [newer, #""role":"viewer""#, #""future":{"x":1}"#] { #expect(stored.contains(part), "\(stored)") }
    #expect(try Scale(path: path).service.isPaired(token: token))
    #expect(try await !list(scale).contains("future"))
  }

  /// The right ends at once even if that cannot be stored, which is said.
  @Test func aClientIsRevokedWithoutADisk() async throws {
    let scale = Scale(path: path)
    let (service, token) = (try scale.service, try token(try await pair(scale)))
    let listed = try JSONValue(Array(try await list(scale).utf8), maximumBytes: 4096)
    guard case .array(let clients)? = listed["clients"], let id = clients.first?["id"]?.text else {
      throw POSIXError(.EINVAL)
    }
    try FileManager.default.removeItem(at: folder)
    let revoked = await completed { service.revoke(id, $0) }
    #expect(throws: RouteError.self) { try revoked.get() }
    #expect(!service.isPaired(token: token))
  }

  @Test func withoutADiskNothingIsGranted() async throws {
    let scale = Scale(path: folder.appendingPathComponent("missing/clients.json").path)
    guard case .failed(.failed(let refusal)) = try await pair(scale) else { throw POSIXError(.EPERM) }
    #expect(refusal.reason == "not_saved")
    #expect(try await list(scale) == #"{"request":null,"clients":[]}"#)
  }
}
