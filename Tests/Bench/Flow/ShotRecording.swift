import Foundation

/// A pour as a Bluetooth scale has reported it, and the flow that the recording program has computed.
struct ShotRecording: Sendable {
  /// The name of the file.
  var name: String
  /// Seconds since the first sample, which increase.
  var times: [Double] = []
  var grams: [Double] = []
  /// The flow in grams per second as the program has shown it; empty if the recording has none.
  var own: [(time: Double, flow: Double)] = []

  /// Appends a sample; one that is not later than the last one is dropped.
  fileprivate mutating func append(_ time: Double, _ mass: Double) {
    guard times.last.map({ time > $0 }) ?? true else { return }
    times.append(time)
    grams.append(mass)
  }

  /// Counts the times from the first sample.
  fileprivate mutating func moveStart() {
    guard let first = times.first else { return }
    times = times.map { $0 - first }
    own = own.map { ($0.time - first, $0.flow) }
  }
}

// MARK: Beanconqueror

/// The part of a recording of Beanconqueror that is used.
private struct BrewFlow: Decodable {
  struct Weight: Decodable {
    var timestamp: String
    var actual_weight: Double?
  }
  struct RealtimeFlow: Decodable {
    var timestamp: String
    var flow_value: Double?
  }
  var weight: [Weight]
  var realtimeFlow: [RealtimeFlow]?
}

private struct Brew: Decodable { var brewFlow: BrewFlow }

extension ShotRecording {
  /// Reads a recording of Beanconqueror; `nil` for another file and one without weights.
  init?(beanconqueror data: Data, name: String) {
    let decoder = JSONDecoder()
    guard
      let flow = (try? decoder.decode(Brew.self, from: data))?.brewFlow
        ?? (try? decoder.decode(BrewFlow.self, from: data))
    else { return nil }
    self.init(name: name)
    for sample in flow.weight {
      if let time = Self.seconds(sample.timestamp), let mass = sample.actual_weight { append(time, mass) }
    }
    own = (flow.realtimeFlow ?? []).compactMap { sample in
      guard let time = Self.seconds(sample.timestamp), let flow = sample.flow_value else { return nil }
      return (time, flow)
    }
    moveStart()
    guard times.count > 50 else { return nil }
  }

  /// The seconds of a time of day.
  private static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: ":").compactMap { Double($0) }
    return parts.count == 3 ? parts[0] * 3600 + parts[1] * 60 + parts[2] : nil
  }
}

// MARK: Decent

extension ShotRecording {
  /// Reads a history file of a Decent Espresso machine: lists in the notation of Tcl. `nil` without weights.
  init?(decent text: String, name: String) {
    var lists: [Substring: [Double]] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      guard let brace = line.firstIndex(of: "{"), line.last == "}" else { continue }
      let values = line[line.index(after: brace)...].dropLast().split(separator: " ")
      lists[line[..<brace].prefix { $0 != " " }] = values.compactMap { Double($0) }
    }
    guard let elapsed = lists["espresso_elapsed"], let weights = lists["espresso_weight"] else { return nil }
    self.init(name: name)
    for (time, mass) in zip(elapsed, weights) { append(time, mass) }
    own = zip(elapsed, lists["espresso_flow_weight"] ?? []).map { ($0, $1) }
    moveStart()
    guard times.count > 50, weights.contains(where: { $0 > 1 }) else { return nil }
  }
}

// MARK: Tables

extension ShotRecording {
  /// Reads a table with the columns `time_s` and `weight_g`.
  init(table: CSVTable, name: String) throws(RealDataError) {
    self.init(name: name)
    times = try table.times("time_s")
    grams = try table.numbers("weight_g")
  }
}
