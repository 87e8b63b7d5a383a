import Terminal
import Weighing

/// The readings of a scale during the last minute.
struct LastMinute: Hashable, Sendable {
  /// The length of the interval.
  static let length = Interval.seconds(60)

  /// The value from a point in time on.
  enum Level: Hashable, Sendable {
    case mass(Double)
    case overload
    /// Unknown.
    case nothing
  }

  private var steps: [(time: Instant, level: Level)] = []

  static func == (a: LastMinute, b: LastMinute) -> Bool { a.steps.elementsEqual(b.steps) { $0 == $1 } }

  func hash(into hasher: inout Hasher) { for step in steps { hasher.combine(step.time) } }

  /// Adds a value that applies from now on.
  mutating func append(_ level: Level, at time: Instant) {
    if steps.last?.level == level { return }
    steps.append((time, level))
    // The value before the beginning of the minute still applies at its beginning.
    let begin = time + Interval(nanoseconds: -Self.length.nanoseconds)
    let old = steps.lastIndex { $0.time <= begin } ?? 0
    steps.removeFirst(old)
    // A scale sends 10 readings a second; many more do not come from a scale.
    if steps.count > 2000 { steps.removeFirst(steps.count - 2000) }
  }

  /// The maximum of each of `count` equal parts of the minute before `now`, oldest first.
  func columns(_ count: Int, until now: Instant) -> [Level] {
    guard count > 0 else { return [] }
    let part = Self.length.nanoseconds / Int64(count)
    let begin = now + Interval(nanoseconds: -Self.length.nanoseconds)
    var index = steps.firstIndex { $0.time > begin } ?? steps.count
    var held = index > 0 ? steps[index - 1].level : .nothing
    return (0..<count).map { column in
      let end = now + Interval(nanoseconds: -part * Int64(count - 1 - column))
      var highest = held
      while index < steps.count, steps[index].time <= end {
        held = steps[index].level
        highest = Self.higher(highest, held)
        index += 1
      }
      return highest
    }
  }

  private static func higher(_ a: Level, _ b: Level) -> Level {
    switch (a, b) {
    case (.overload, _), (_, .overload): .overload
    case (.mass(let a), .mass(let b)): .mass(max(a, b))
    case (.nothing, let known), (let known, .nothing): known
    }
  }

  /// The columns as a sparkline, and the range of its values.
  static func sparkline(_ columns: [Level], _ style: TerminalStyle) -> (text: String, range: ClosedRange<Double>) {
    let masses = columns.compactMap { if case .mass(let mass) = $0 { mass } else { nil } }
    let low = min(masses.min() ?? 0, 0)
    let high = max(masses.max() ?? 0, low + 1)
    let marks = Array(style.isUTF8 ? "▁▂▃▄▅▆▇█" : "_.-=+*%#")
    let text = columns.map { level -> Character in
      switch level {
      case .nothing: " "
      case .overload: "!"
      case .mass(let mass): marks[Int(((mass - low) / (high - low) * Double(marks.count - 1)).rounded())]
      }
    }
    return (String(text), low...high)
  }
}
