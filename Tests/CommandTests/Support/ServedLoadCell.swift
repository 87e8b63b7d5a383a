import Foundation
import FreePorts
import Glibc
import Testing

/// An appliance with a load cell of 4200 counts a gram and a dashboard. Its configuration takes the cell for one of 4000, or does
/// not know it.
struct ServedLoadCell {
  let broker: Broker
  let listener: Listener
  let folder: TemporaryFolder
  let configuration: String
  private(set) var program: Program
  let converter: FakeConverter
  let port: UInt16

  static let path = "/api/calibration/session"

  /// The lines of the configuration about a cell that it takes for one of 4000 counts a gram.
  static let known = """
    scale: {capacity_g: 1000}
    calibration: {points: [{raw: 8388608, grams: 0}, {raw: 12388608, grams: 1000}]}
    """
  /// Those of the build sheet of the HX711, without points.
  static let fresh = """
    scale: {capacity_g: 500, division_g: 0.1, minimum_g: 0.2}
    stability: {motion_g: 0.2}
    """

  /// - Parameters:
  ///   - cell: What the configuration says about the cell.
  ///   - data: The folder of the journal and of the settings.
  ///   - dashboard: Further keys of the dashboard.
  ///   - files: Further files in the folder of the configuration.
  init(_ cell: String = known, data: String? = nil, dashboard: String = "", files: [String: String] = [:]) async throws
  {
    let port = FreePort.any()
    (converter, broker, folder) = (try FakeConverter(), try await Broker(), try TemporaryFolder())
    listener = try await Listener(broker.port)
    configuration = try folder.write(
      "scale.yaml",
      """
      pad: {device: {iio: hx711}}
      \(cell)
      mqtt: {broker: "mqtt://127.0.0.1:\(broker.port)"}
      dashboard: {port: \(port)\(dashboard)}
      journal: {path: \(data ?? folder.path)/grampad.db}

      """)
    for (name, text) in files { _ = try folder.write(name, text) }
    program = try Program.grampad(["run", "--config", configuration], environment: converter.environment)
    self.port = port
    let listener = listener
    try await eventually("a reading") {
      cell == Self.known
        ? listener.messages("event").contains { $0("type") as? String == "zeroed" }
        : listener.messages("live").last?("calibration") as? String == "nominal"
    }
    try await eventually("the dashboard listens") { FreePort.isTaken(port) }
  }

  var url: String { "http://127.0.0.1:\(port)" }

  /// Puts a mass on the cell instead of what is there.
  func put(_ grams: Int) throws { try put(Double(grams)) }

  func put(_ grams: Double) throws { try converter.set(8_388_608 + Int((4200 * grams).rounded())) }

  /// Ends the appliance and starts it again with its journal.
  mutating func restart() async throws {
    program.send(SIGTERM)
    #expect(try await program.ended().code == 0)
    program = try Program.grampad(["run", "--config", configuration], environment: converter.environment)
  }

  /// The status and the body of a request; a POST if there is a body.
  func ask(_ path: String = path, _ body: String? = nil) async throws -> (status: Int, body: String) {
    let more = body.map { ["-H", "Content-Type: application/json", "--data-binary", $0] } ?? []
    let ended = try await Program("curl", ["-s", "-w", "\n%{http_code}", url + path] + more).ended()
    #expect(ended.code == 0, "\(ended)")
    let lines = ended.output.split(separator: "\n", omittingEmptySubsequences: false)
    return (Int(lines.last ?? "") ?? 0, lines.dropLast().joined(separator: "\n"))
  }

  /// Waits until the appliance has sampled a mass, whatever it takes it for.
  func sees(_ grams: Int) async throws {
    let listener = listener
    let raw = 8_388_608 + 4200 * grams
    try await eventually("\(grams) g sampled, not \(listener.messages("live").last?("raw") ?? "nothing")") {
      (listener.messages("live").last?("raw") as? Int).map { ($0 - raw).magnitude < 4200 } ?? false
    }
  }

  /// Waits until the appliance displays a text.
  func shows(_ text: String) async throws {
    let listener = listener
    try await eventually("\(text), not \(listener.last("display") ?? "nothing")") { listener.last("display") == text }
  }

  /// Waits until the calibration under way is in a state; returns it.
  @discardableResult
  func reaches(_ what: Comment, _ isReached: (String) -> Bool) async throws -> String {
    let end = ContinuousClock.now + .seconds(30)
    while true {
      let state = try await ask().body
      if isReached(state) { return state }
      try #require(ContinuousClock.now < end, "\(what): \(state)")
      // There is no signal for the progress of another process, so this polls. The limit above decides.
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  /// A command of a session that is possible; returns the state after it.
  @discardableResult
  func command(_ verb: String, _ session: String, _ more: String = "") async throws -> String {
    let answer = try await ask(Self.path, #"{"do": "\#(verb)", "session": "\#(session)"\#(more)}"#)
    #expect(answer.status == 200, "\(verb): \(answer)")
    return answer.body
  }

  /// Starts a calibration; returns its identifier.
  func start(_ masses: [Int]) async throws -> String {
    let answer = try await ask(Self.path, #"{"do": "start", "masses_g": \#(masses), "rest_s": 0.5}"#)
    return try #require(value(in: answer.body, ["session"]) as? String, "\(answer)")
  }

  /// Puts each mass on as it is asked for, or what a mistake replaces it by, and measures it.
  func measure(_ session: String, _ loads: [Int]) async throws {
    for (index, grams) in loads.enumerated() {
      try put(grams)
      // Otherwise it may measure what was there before, which is at rest as well.
      try await sees(grams)
      try await command("measure", session)
      try await reaches("step \(index + 1)") { value(in: $0, ["activity"]) as? String == "ready" }
      let state = try await ask().body
      if value(in: state, ["question"]) is String { try await command("keep", session) }
    }
  }
}
