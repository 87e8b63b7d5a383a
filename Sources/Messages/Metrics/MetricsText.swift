/// Writes metrics in the Prometheus text format 0.0.4.
package struct MetricsText: Sendable {
  /// The content type.
  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// The metrics written so far.
  package private(set) var text = ""

  /// Makes a text without metrics.
  package init() {}

  /// The type of a metric.
  package enum Kind: String, Sendable {
    case gauge, counter, summary
  }

  /// One value with its labels.
  package typealias Sample = (labels: [(name: String, value: String)], value: Double)

  /// Writes a metric with one value; writes nothing if the value is `nil`.
  package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double?) {
    if let value { add(name, kind, help, [(labels: [], value: value)]) }
  }

  /// Writes a metric with a value for each set of labels.
  package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
    guard !samples.isEmpty else { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for sample in samples {
      let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
      text += name + (labels.isEmpty ? "" : "{\(labels)}") + " " + Self.number(sample.value) + "\n"
    }
  }

  /// Writes a summary without quantiles: how often something was observed, and the sum of what was observed.
  package mutating func add(_ name: String, _ help: String, sum: Double, count: Int) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(Kind.summary.rawValue)\n"
    text += "\(name)_sum \(Self.number(sum))\n\(name)_count \(count)\n"
  }

  /// Writes what the program was built from, as programs with Prometheus metrics do: the constant 1, with the facts as labels.
  ///
  /// - Parameter program: The prefix of the metrics of the program.
  package mutating func addBuildInfo(of program: String) {
    add(
      program + "_build_info", .gauge, "Version of the program and architecture it is built for; always 1.",
      [([("version", Version.text), ("architecture", Version.architecture)], 1)])
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? String(Int64(value)) : String(value)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
