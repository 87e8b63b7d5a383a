import Weighing

/// What changes on a scale, as plain lines for a file or a pipe.
package struct WatchLines: Sendable {
  private let style = TerminalStyle(isUTF8: true, hasColour: false)
  private var said = Said()

  /// What has been said already.
  private struct Said {
    var line: WatchedScale.Line = .down(nil)
    var isOnline: Bool?
    var shown: String?
    var weighings: Set<String> = []
    var notice: String?
  }

  /// Nothing has been said yet.
  package init() {}

  /// The lines for what is new, each with the time of day: `14:05:09  73 g  stable`.
  package mutating func news(of scale: WatchedScale) -> [String] {
    var news: [String] = []
    if scale.line != said.line {
      said.line = scale.line
      switch scale.line {
      case .up(let broker): news.append("connected to \(broker)")
      case .down(let reason): news.append("connection lost" + (reason.map { ": " + $0 } ?? ""))
      }
    }
    if scale.isOnline != said.isOnline {
      said.isOnline = scale.isOnline
      if let isOnline = scale.isOnline { news.append(isOnline ? "online" : "offline") }
    }
    if let reading = scale.reading, case let shown = "\(reading.printable)  \(reading.state.rawValue)",
      shown != said.shown
    {
      said.shown = shown
      news.append(shown)
    }
    for weighed in scale.weighings.reversed() where said.weighings.insert(weighed.id).inserted {
      let what = weighed.voids == nil ? "weighing" : "void"
      news.append("\(what) \(weighed.sequence)  \(weighed.net) g" + (weighed.label.map { "  " + $0 } ?? ""))
    }
    if let notice = scale.notice?.text, notice != said.notice {
      said.notice = notice
      news.append(notice)
    }
    return news.map { LocalTime.now() + "  " + TerminalText.clean($0, style) }
  }
}
