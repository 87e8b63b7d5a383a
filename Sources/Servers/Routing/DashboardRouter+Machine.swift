import Messages
import Weighing

/// The machine that the page sets up: name, network, sensor, broker, updates.
///
/// Until it is set up, every client that reaches the page may read and change it; from then on, the right to act is needed.
package struct MachineSource: Sendable {
  /// Whether it is set up. Until then, every client may calibrate as well: without a calibration, a load cell recognises no press.
  package var isSetUp: @Sendable () -> Bool
  /// Its state; the flag is whether the client has the right to act.
  package var state: @Sendable (Bool, @escaping Completion<MachineAnswer>) -> Void
  /// Performs the request of a payload, and passes on the state after it; the flag is whether the client has the right to act.
  package var perform: @Sendable ([UInt8], Bool, @escaping Completion<MachineAnswer>) -> Void
  /// Opens the backup that the machine has made; the flag is whether the client has the right to act.
  package var backup: @Sendable (Bool, @escaping Completion<MachineAnswer>) -> Void
  /// Stores a piece of a backup that the client wants to restore, at an offset; 0 begins again.
  package var upload: @Sendable ([UInt8], Int, Bool, @escaping Completion<MachineAnswer>) -> Void

  /// Makes a source.
  package init(
    isSetUp: @escaping @Sendable () -> Bool,
    state: @escaping @Sendable (Bool, @escaping Completion<MachineAnswer>) -> Void,
    perform: @escaping @Sendable ([UInt8], Bool, @escaping Completion<MachineAnswer>) -> Void,
    backup: @escaping @Sendable (Bool, @escaping Completion<MachineAnswer>) -> Void,
    upload: @escaping @Sendable ([UInt8], Int, Bool, @escaping Completion<MachineAnswer>) -> Void
  ) {
    (self.isSetUp, self.state, self.perform, self.backup, self.upload) = (isSetUp, state, perform, backup, upload)
  }
}

/// An answer to a request for the state of the machine or for its change.
package enum MachineAnswer: Hashable, Sendable {
  /// The state, as JSON.
  case state([UInt8])
  /// The machine is set up, and the client has no right to act.
  case forbidden
  /// The payload is not a request.
  case badPayload(Sentence)
  /// Values are invalid; nothing was changed.
  case invalid([SettingsFault])
  /// Another request is not answered yet; this one was not passed on.
  case busy
  /// The machine does not answer.
  case silent
  /// The backup of the machine.
  case file(MachineBackup)
  /// There is no backup.
  case noBackup
  /// The pieces before this one were not stored.
  case misplaced
  /// There is no room for the backup and what it contains.
  case noRoom
}

/// A backup that is read while it is sent.
package final class MachineBackup: BodyStream, Hashable {
  /// Passes on the next bytes.
  package let read: @Sendable (@escaping Completion<[UInt8]?>) -> Void

  /// Makes a backup.
  ///
  /// - Parameter read: Passes on the next bytes: none at the end, `nil` if they cannot be read.
  package init(read: @escaping @Sendable (@escaping Completion<[UInt8]?>) -> Void) { self.read = read }

  func next(_ completion: @escaping @Sendable (BodyPiece) -> Void) {
    read { completion($0.map { $0.isEmpty ? .end : .bytes($0) } ?? .failure) }
  }

  func end() {}

  /// Whether both are the same.
  package static func == (one: MachineBackup, other: MachineBackup) -> Bool { one === other }

  /// Adds its identity.
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension DashboardRouter {
  /// The path of the machine.
  static let machine = "/api/machine"
  static let machineBackup = machine + "/backup"
  static let machineRestore = machine + "/restore"

  /// Shows the state of the machine, or performs a request.
  ///
  /// Reading needs the right to act, too: the state names the networks in reach. The source decides whether the right is needed,
  /// with the state that it shows or changes.
  func answerMachine(_ request: Request, _ policy: AccessPolicy) throws(APIError) -> Answer {
    guard let source = sources.machine else { throw .unknownPath }
    guard request.isReading || request.method == "POST" else { throw .badMethod }
    let error = request.isReading ? policy.dataError(for: request) : policy.requestError(for: request)
    if let error { throw error }
    let refusal = policy.authorizationError(for: request)
    return .later { [self] completion in
      let finish = { @Sendable [self] (answer: MachineAnswer) in completion(response(answer, request, refusal)) }
      if request.isReading {
        source.state(refusal == nil, finish)
      } else {
        source.perform(request.body, refusal == nil, finish)
      }
    }
  }

  /// Sends the backup of the machine, which has its passwords; the access rules are those of its state.
  func sendBackup(_ request: Request, _ policy: AccessPolicy) throws(APIError) -> Answer {
    guard let source = sources.machine else { throw .unknownPath }
    guard request.isReading else { throw .badMethod }
    if let error = policy.dataError(for: request) { throw error }
    let refusal = policy.authorizationError(for: request)
    return .later { [self] completion in
      source.backup(refusal == nil) { [self] in completion(response($0, request, refusal)) }
    }
  }

  /// Stores a piece of a backup. A journal of years is larger than a body may be, so the client sends it in pieces.
  func receiveBackup(_ request: Request, _ policy: AccessPolicy) throws(APIError) -> Answer {
    guard let source = sources.machine else { throw .unknownPath }
    guard request.method == "POST" else { throw .badMethod }
    if let error = policy.requestError(for: request, type: "application/octet-stream") { throw error }
    let refusal = policy.authorizationError(for: request)
    do throws(QueryError) {
      let offset = try QueryString(request, names: ["offset"]).integer("offset", in: 0...1 << 40) ?? 0
      return .later { [self] completion in
        source.upload(request.body, offset, refusal == nil) { [self] in completion(response($0, request, refusal)) }
      }
    } catch {
      return .response(Self.refusal(error))
    }
  }

  /// The address of the machine in its own access point, where every name is resolved to it; see `deploy/machine`.
  private static let accessPoint = ClientAddress("10.71.80.1")

  /// The answer to a phone in the access point that looks for the Internet: the address of the set-up, which it then opens by itself.
  /// `nil` elsewhere.
  ///
  /// After the set-up, the name is unknown as anywhere else.
  func portal(_ request: Request) -> Answer? {
    guard let source = sources.machine, request.isReading, let own = Self.accessPoint,
      request.client.network.starts(with: own.network.prefix(3))
    else { return nil }
    return .later { completion in
      source.state(false) { answer in
        guard case .state = answer else { return completion(.error(.unknownHost, allowing: "")) }
        var response = Response("text/plain", "")
        response.status = .found
        response.headers.add(name: "Location", value: "http://\(own.text)/#/setup")
        completion(response)
      }
    }
  }

  private func response(_ answer: MachineAnswer, _ request: Request, _ refusal: APIError?) -> Response {
    switch answer {
    case .state(let json): return .json(json)
    case .badPayload(let detail): return .badPayload(detail)
    case .invalid(let faults): return .invalid(faults)
    case .busy: return .error(.busy, allowing: "")
    case .silent: return .problem("machine_silent", Sentence(.machineSilent), .serviceUnavailable)
    case .file(let backup):
      return Response("application/x-tar", .stream(backup)).attached(as: "grampad-machine.tar")
    case .noBackup: return .problem("no_backup", Sentence(.machineNoBackup), .notFound)
    case .misplaced: return .problem("wrong_offset", Sentence(.machineMisplaced), .conflict)
    case .noRoom: return .problem("no_room", Sentence(.machineNoRoom), .insufficientStorage)
    case .forbidden:
      do throws(APIError) {
        try authorize(request, refusal)
        return .error(.closed, allowing: "")
      } catch {
        return .error(error, allowing: "")
      }
    }
  }
}
