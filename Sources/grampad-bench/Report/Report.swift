import Foundation

/// All figures of one run, with what it takes to repeat it.
struct Report: Encodable, Sendable {
  /// The command line.
  var command: String
  /// When it began, in UTC.
  var date: Date
  var machine: Machine
  var figures: [Figure]
  /// Where the description of each contender was published.
  var sources: [String: String] = [:]

  /// Begins the report of this process: takes down command line, time and load before anything is measured.
  static func begin() -> Report {
    let arguments = CommandLine.arguments.dropFirst().map { argument in
      argument.allSatisfy { $0.isLetter || $0.isNumber || "-_=./,:".contains($0) } ? argument : "'\(argument)'"
    }
    return Report(
      command: (["grampad-bench"] + arguments).joined(separator: " "), date: Date(), machine: .here, figures: [])
  }

  /// Whether a goal is missed.
  var missesGoal: Bool { figures.contains { $0.isMet == false } }

  /// Gives Grampad's figures their ratio to each peer's of the same name, on the same thing.
  mutating func compare() {
    var others: [[String]: [(name: String, value: Double)]] = [:]
    for figure in figures where figure.contender != "grampad" {
      guard let value = figure.value, value != 0 else { continue }
      others[[figure.what, figure.on], default: []].append((figure.contender, value))
    }
    for index in figures.indices where figures[index].contender == "grampad" {
      guard let value = figures[index].value else { continue }
      for peer in others[[figures[index].what, figures[index].on]] ?? [] {
        figures[index].ratios[peer.name] = value / peer.value
      }
    }
  }

  /// Keys in snake case and sorted, times as RFC 3339.
  func json() throws -> Foundation.Data {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    var data = try encoder.encode(self)
    data.append(UInt8(ascii: "\n"))
    return data
  }

  /// What stands above the tables.
  var heading: String {
    let load = machine.load.map { ", load \(String(format: "%.2f", $0))" } ?? ""
    return """
      \(command)
      \(date.ISO8601Format()), \(machine.processor), \(machine.cores) cores, \(machine.kernel)\(load)
      """
  }
}
