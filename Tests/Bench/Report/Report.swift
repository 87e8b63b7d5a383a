import Foundation

/// Prints a line to standard error, where it is not part of the report.
func printProgress(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

/// All figures of one run, with the command line and the machine.
struct Report: Encodable, Sendable {
  /// The command line.
  var command: String
  /// The start of the run, in UTC.
  var date: Date
  var machine: Machine
  var figures: [Figure]
  /// The source of each filter or program.
  var sources: [String: String] = [:]

  /// Makes an empty report. Call it before the measurement, because it records the time and the load of the machine.
  static func begin() -> Report {
    let arguments = CommandLine.arguments.dropFirst().map { argument in
      argument.allSatisfy { $0.isLetter || $0.isNumber || "-_=./,:".contains($0) } ? argument : "'\(argument)'"
    }
    return Report(
      command: (["grampad-bench"] + arguments).joined(separator: " "), date: Date(), machine: .here, figures: [])
  }

  /// Whether a goal is missed.
  var missesGoal: Bool { figures.contains { $0.isMet == false } }

  /// Sets the ratios of Grampad's figures to those of the peers under the same conditions.
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

  /// Encodes the report as JSON, with sorted keys in snake case and times as in RFC 3339.
  func json() throws -> Foundation.Data {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    var data = try encoder.encode(self)
    data.append(UInt8(ascii: "\n"))
    return data
  }

  /// The text above the tables.
  var heading: String {
    let load = machine.load.map { ", load \(String(format: "%.2f", $0))" } ?? ""
    return """
      \(command)
      \(date.ISO8601Format()), \(machine.processor), \(machine.cores) cores, \(machine.kernel)\(load)
      """
  }
}
