import Foundation
import Journal
import Logging
import Messages
import Testing
import Weighing

@testable import Appliance

/// Whatever is committed, voided and relabelled, in any order: every consumer comes to the same sums.
@Suite struct SumTests {
  /// What stands, kept apart from the journal.
  struct Truth {
    struct Weighed {
      var id: WeighingID
      var net: Double
      var label: String?
      var isVoided = false
    }

    var weighings: [Weighed] = []

    var standing: [Weighed] { weighings.filter { !$0.isVoided } }
    var net: Double { standing.reduce(0) { $0 + $1.net } }

    /// The net by label; an empty text for none.
    var labels: [String: Double] {
      standing.reduce(into: [:]) { $0[$1.label ?? "", default: 0] += $1.net }.filter { $0.value.magnitude > 1e-6 }
    }
  }

  private static let labels: [String?] = [
    nil, "rye", "=1+1", "-2", "@SUM(A1)", "a,b", "a,\u{301}b", "say \"\u{308}hi\"", "+49", "semi;colon", "\\", "🌾",
  ]

  /// A journal of `count` random operations, and what should be in it.
  static func journal(seed: UInt64, count: Int) throws -> (journal: Journal, truth: Truth) {
    var random = SeededGenerator(state: seed)
    let journal = Journal(.memory, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    var truth = Truth()
    for number in 0..<count {
      // Several records in one millisecond.
      let time = Instant(nanoseconds: 1_767_225_600_000_000_000 + Int64(number / 4) * 1_000_000)
      let label = labels.randomElement(using: &random) ?? nil
      let chosen = truth.weighings.indices.randomElement(using: &random)
      let isLast = Bool.random(using: &random)
      let index = isLast ? truth.weighings.indices.last : chosen
      let reference: WeighingReference = isLast ? .last : chosen.map { .id(truth.weighings[$0].id) } ?? .unknown
      let kind: WeighingDraft.Kind
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let division = try #require(Division(Grams([1, 0.1, 0.01].randomElement(using: &random) ?? 1)))
        let net = DisplayedMass(steps: Int.random(in: -500...5000, using: &random), division: division)
        let tare = DisplayedMass(steps: Int.random(in: 0...100, using: &random), division: division)
        let gross = DisplayedMass(steps: net.steps + tare.steps, division: division)
        kind = .weighing(
          Weighing.Measurement(gross: gross, tare: tare, net: net, uncertainty: Grams(0.2), calibration: .user))
      case 5..<8: kind = .void(reference)
      default: kind = .relabel(reference)
      }
      let draft = WeighingDraft(
        request: ActionRequest(name: "test", source: .mqtt), kind: kind, label: label, time: time)
      let canBeDone = index.map { !truth.weighings[$0].isVoided } ?? false
      let record = try? journal.record(draft, at: time, clock: .synchronised)
      switch kind {
      case .weighing(let measurement):
        let id = try #require(record).id
        truth.weighings.append(.init(id: id, net: measurement.net.mass.value, label: label))
      case .void:
        #expect((record != nil) == canBeDone)
        if let index, canBeDone { truth.weighings[index].isVoided = true }
      case .relabel:
        #expect((record != nil) == canBeDone)
        if let index, canBeDone { truth.weighings[index].label = label }
      }
    }
    return (journal, truth)
  }

  @Test(arguments: 1...40) func theJournalAgrees(_ seed: UInt64) throws {
    let (journal, truth) = try Self.journal(seed: seed, count: 60)
    let history = try journal.history(since: nil)
    #expect((history.reduce(0) { $0 + $1.record.measurement.net.mass.value } - truth.net).magnitude < 1e-6)
    let standing = history.filter(\.isStanding)
    #expect(standing.map(\.record.id) == truth.standing.map(\.id))
    #expect(standing.map(\.label) == truth.standing.map(\.label))
    let last = try journal.lastStanding()
    #expect(last?.id == truth.standing.last?.id && last?.label == truth.standing.last?.label)
    #expect(try journal.verify().faults == [])
  }

  /// What a program of `config/` comes to.
  struct Sum: Decodable {
    var net_g: Double
    var count: Int?
    var labels: [String: Double]?
  }

  /// The folder `config` of the project.
  private static let configurationFolder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "config")

  /// Needs `nodejs` and `influxdb`, see Tests/Tiers/table.
  @Test(arguments: [3, 17, 2026] as [UInt64]) func everyConsumerAgrees(_ seed: UInt64) async throws {
    let (journal, truth) = try Self.journal(seed: seed, count: 150)
    let history = try journal.history(since: nil)
    let folder = FileManager.default.temporaryDirectory.appending(path: "sums-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var composer = MessageComposer(
      topics: Topics(prefix: "grampad", id: "kitchen"), heartbeat: .seconds(5), clock: .recorded)
    var random = SeededGenerator(state: seed)
    var messages: [String] = []
    var list: [String] = []
    var table = HistoryCSV.header
    for entry in history {
      let message = String(decoding: composer.weighing(entry.record, historical: false).payload, as: UTF8.self)
      messages.append(message)
      // At-least-once delivery.
      if Int.random(in: 0..<5, using: &random) == 0, let again = messages.suffix(9).randomElement(using: &random) {
        messages.append(again)
      }
      var json = JSONWriter()
      json.weighing(entry.record, historical: false)
      list.append(String(decoding: json.bytes, as: UTF8.self))
      table += HistoryCSV.line(entry)
    }
    for (name, text) in [
      ("messages.jsonl", messages.joined(separator: "\n") + "\n"), ("history.csv", table),
      ("history.json", "[" + list.joined(separator: ",") + "]"),
    ] {
      try text.write(to: folder.appending(path: name), atomically: false, encoding: .utf8)
    }
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "consumers.py")
    let sums = try Self.run(["/usr/bin/python3", script.path, folder.path, Self.configurationFolder.path])
    #expect(Set(sums.keys) == ["csv", "json", "mqtt", "node_red", "grafana"])
    for (name, sum) in sums {
      #expect((sum.net_g - truth.net).magnitude < 1e-6, "\(name): \(sum.net_g) g, truly \(truth.net) g")
      if let count = sum.count { #expect(count == truth.standing.count, "\(name)") }
      guard let labels = sum.labels else { continue }
      #expect(Set(labels.keys) == Set(truth.labels.keys), "\(name)")
      for (label, net) in truth.labels { #expect(((labels[label] ?? 0) - net).magnitude < 1e-6, "\(name) \(label)") }
    }
  }

  private static func run(_ arguments: [String]) throws -> [String: Sum] {
    let process = Process()
    process.executableURL = URL(filePath: arguments[0])
    process.arguments = Array(arguments.dropFirst())
    let (output, complaints) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, complaints)
    try process.run()
    // What it complains of is less than a pipe holds.
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    let trouble = String(decoding: complaints.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(trouble)")
    return try JSONDecoder().decode([String: Sum].self, from: bytes)
  }
}

/// The same numbers each time. Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
