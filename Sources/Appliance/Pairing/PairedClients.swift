import Messages
import Servers
import Weighing

/// The clients that users have given the right to act.
struct PairedClients: Hashable, Sendable {
  /// A client.
  struct Client: Hashable, Sendable {
    /// Identifies the client in the list; no secret.
    let id: String
    let kind: PairingClient.Kind
    let name: String
    let address: String
    /// When it was paired, in seconds since 1970 in UTC.
    let created: Int
    /// The SHA-256 digest of its token; `nil` for an app.
    let digest: String?
    /// All its fields, as they were read.
    var fields = JSONObject()

    /// When its right ends, in seconds since 1970; `nil` for a client with a token. An address may belong to another device one day.
    var expires: Int? { digest == nil ? created + PairedClients.appTime : nil }

    /// Whether it may act now. An app that was paired in the future may not: the clock was wrong, then or now.
    func isValid(at now: Int) -> Bool { expires.map { created <= now && now < $0 } ?? true }
  }

  /// The clients, the oldest first.
  private(set) var list: [Client] = []
  /// The clients of kinds that only a newer version knows, as they were read. They have no right, and stay in the file.
  private(set) var unknown: [JSONValue] = []
  /// All fields of the file, as they were read.
  private var fields = JSONObject()

  /// The most clients. Chosen: more than a household has; each costs 200 bytes and a comparison for each request with a token.
  static let maximum = 64
  /// How long an app may act, in seconds: 30 days.
  static let appTime = 30 * 86_400
  /// The largest file, with escaped names.
  static let maximumBytes = 1 << 16

  /// No clients.
  init() {}

  /// Reads a file; `nil` if it is damaged.
  init?(_ bytes: [UInt8]) {
    guard let json = try? JSONValue(bytes, maximumBytes: Self.maximumBytes), case .array(let items)? = json["clients"]
    else { return nil }
    if case .object(let fields) = json { self.fields = fields }
    unknown = items.filter { $0["kind"]?.text.map { PairingClient.Kind(rawValue: $0) == nil } ?? false }
    list = items.compactMap(Client.init)
    guard list.count + unknown.count == items.count, list.count <= Self.maximum,
      Set(list.map(\.id)).count == list.count
    else { return nil }
  }

  /// The content of the file.
  var bytes: [UInt8] {
    json(isFile: true) { json, client in
      json.field("created_s", client.created)
      json.field("token_sha256", client.digest)
      for key in client.fields.keys where !Client.keys.contains(key) { json.field(key, of: client.fields) }
    }
  }

  /// The list for the owner: `{"request": {...} or null, "clients": [...]}`, without digests.
  func list(pending: PairingRequest?) -> [UInt8] {
    json({ $0.pairing(pending) }) { json, client in
      json.field("created", Self.text(client.created))
      json.field("expires", client.expires.map(Self.text))
    }
  }

  private func json(
    _ request: ((inout JSONWriter) -> Void)? = nil, isFile: Bool = false,
    _ more: (inout JSONWriter, Client) -> Void
  ) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      if let request {
        json.key("request")
        request(&json)
      }
      json.key("clients")
      json.array { json in
        for client in list {
          json.object { json in
            json.fields(
              ("id", client.id), ("kind", client.kind.rawValue), ("name", client.name), ("address", client.address))
            more(&json, client)
          }
        }
        if isFile { for client in unknown { json.value(client) } }
      }
      if isFile { for key in fields.keys where key != "clients" { json.field(key, of: fields) } }
    }
    return json.bytes
  }

  private static func text(_ seconds: Int) -> String {
    WallClock(offset: .seconds(0)).text(Instant(nanoseconds: Int64(seconds) * 1_000_000_000))
  }

  /// Whether a digest is that of a client's token.
  func accepts(digest: String) -> Bool { list.contains { $0.digest == digest } }

  /// Whether an app at an address may act.
  func acceptsApp(at address: String, now: Int) -> Bool {
    list.contains { $0.kind == .app && $0.address == address && $0.isValid(at: now) }
  }

  /// Whether no client can be added.
  func isFull(at now: Int) -> Bool { list.count { $0.isValid(at: now) } >= Self.maximum }

  /// Adds a client; an app replaces the same one, and those whose time is over are removed.
  mutating func add(_ client: Client) {
    list.removeAll { old in
      !old.isValid(at: client.created) || old.kind == .app && client.kind == .app && old.address == client.address
    }
    list.append(client)
  }

  /// Removes the client with an identifier; returns whether there was one.
  mutating func remove(_ id: String) -> Bool {
    let count = list.count
    list.removeAll { $0.id == id }
    return list.count < count
  }
}

extension PairedClients.Client {
  /// Reads a client of the file; `nil` if it is damaged.
  fileprivate init?(_ json: JSONValue) {
    guard let id = json["id"]?.text, !id.isEmpty, let kind = json["kind"]?.text.flatMap(PairingClient.Kind.init),
      let name = json["name"]?.text, let address = json["address"]?.text,
      case .number(let seconds)? = json["created_s"], let created = Int(exactly: seconds),
      // Until 2242, whose nanoseconds an `Instant` holds.
      (0...1 << 33).contains(created)
    else { return nil }
    let digest = json["token_sha256"]?.text
    // A client with a token without its digest would be an app, and the reverse.
    guard (kind == .page) == (digest?.utf8.count == 64) else { return nil }
    guard case .object(let fields) = json else { return nil }
    self.init(id: id, kind: kind, name: name, address: address, created: created, digest: digest, fields: fields)
  }

  /// The fields that this version knows.
  fileprivate static let keys: Set = ["id", "kind", "name", "address", "created_s", "token_sha256"]
}

extension JSONWriter {
  /// Writes the request that is pending, `null` without one.
  mutating func pairing(_ request: PairingRequest?) {
    guard let request else { return null() }
    object { $0.fields(("id", String(request.id)), ("name", request.name), ("address", request.address)) }
  }
}
