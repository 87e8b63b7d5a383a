import Configuration
import Foundation
import Linux
import Logging
import Servers
import Synchronization
import Weighing

@testable import Appliance

/// A machine in a temporary folder, with a thread that plays root, and the service that talks to it.
final class PlayedMachine: Sendable {
  /// A request as root reads it.
  struct Request: Sendable {
    let text: String

    /// The value of a key; empty without one.
    subscript(key: String) -> String {
      let line = text.split(separator: "\n").first { $0.hasPrefix(key + " = ") }
      return line.map { String($0.dropFirst(key.count + 3)) } ?? ""
    }
  }

  /// What root has read and what the viewers were told, in the order of their times.
  private final class Log: Sendable {
    let requests = Mutex<[Request]>([])
    let told = Mutex<[Bool]>([])
  }

  let files: MachineFiles
  let service: MachineService
  private let folder: String
  private let log = Log()
  private let stop = Signal()
  private let ended = Signal()

  /// - Parameters:
  ///   - state: The content of the file; `nil` if it is missing.
  ///   - hasFolder: Whether root has made its folder.
  ///   - left: A request of an earlier run.
  ///   - root: Takes a request away and returns the new state, or `nil` to write none; `nil` if there is no root.
  init(
    _ state: String?, patience: Interval = .seconds(60), hasFolder: Bool = true, left: String? = nil,
    root: (@Sendable (Request) -> String?)? = nil
  ) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("machine-\(UUID())").path
    for name in hasFolder ? ["root", "run"] : ["run"] {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    let files = MachineFiles(folder: folder + "/root", runtimeFolder: folder + "/run")
    if let state { try FileSystem.replaceFile(files.state, with: Array(state.utf8), permissions: 0o640) }
    if let left { try FileSystem.replaceFile(files.request, with: Array(left.utf8), permissions: 0o600) }
    self.files = files
    service = MachineService(
      files, patience: patience, logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
      onChange: { [log] isSetUp in log.told.withLock { $0.append(isSetUp) } })
    guard let root else {
      ended.raise()
      return
    }
    OwnThread.start(name: "root") { [log, stop, ended] in
      Self.play(files, log, until: stop, root)
      ended.raise()
    }
  }

  deinit {
    stop.raise()
    service.stop()
    _ = ended.wait(within: nil)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The requests that root has taken away, the oldest first.
  var requests: [Request] { log.requests.withLock { $0 } }

  /// Whether the machine is set up, each time that the viewers were told.
  var told: [Bool] { log.told.withLock { $0 } }

  /// Whether a request waits for root.
  var hasRequest: Bool { FileSystem.exists(files.request) }

  /// Writes the state as root does.
  func write(_ state: String) throws { try Self.write(state, files) }

  /// A state of root, with the answer to a request.
  static func state(isSetUp: Bool, answer: String = "null", more: String = "") -> String {
    #"{"is_set_up":\#(isSetUp),"answer":\#(answer),"network":{"wifi":"Nest"}\#(more)}"#
  }

  /// An answer to a request that root has performed.
  static func done(_ request: Request) -> String { #"{"id":"\#(request["id"])","ok":true}"# }

  private static func write(_ state: String, _ files: MachineFiles) throws {
    try FileSystem.replaceFile(files.state, with: Array(state.utf8), permissions: 0o640)
  }

  /// Waits for requests, and answers them.
  private static func play(
    _ files: MachineFiles, _ log: Log, until stop: Signal, _ root: (Request) -> String?
  ) {
    guard let watch = try? ConfigurationWatch(location: files.request) else { return }
    let poller = Poller()
    poller.watch(stop.descriptor, for: .readable)
    poller.watch(watch.descriptor, for: .readable)
    while !stop.wait(milliseconds: 0) {
      guard let bytes = try? fileBytes(files.request, limit: 1 << 16) else {
        poller.wait(until: nil) { descriptor, _ in if descriptor == watch.descriptor { _ = watch.drain() } }
        continue
      }
      try? FileSystem.rename(files.request, to: files.request + ".taken")
      let request = Request(text: String(decoding: bytes, as: UTF8.self))
      log.requests.withLock { $0.append(request) }
      if let state = root(request) { try? write(state, files) }
    }
  }
}
