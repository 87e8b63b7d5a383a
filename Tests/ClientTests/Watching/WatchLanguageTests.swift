import Languages
import Linux
import Messages
import Terminal
import Testing

@testable import Client
@testable import Weighing

/// The frame of `watch` in each language.
@Suite struct WatchLanguageTests {
  private static let begin = Instant(nanoseconds: 1_000_000_000_000)

  private static let reading = """
    {"printable":"1234.5 g","state":"stable","gross_g":1334.5,"tare_g":100,"net_g":1234.5,"uncertainty_g":0.5,\
    "container":"jug","flow_g_s":1.8,"timer_s":27,"target":{"target_g":1300,"tolerance_g":1,"remaining_g":65.5,\
    "check":"under"},"piece_g":0.32,"pieces":42,"pieces_uncertainty":0.12,"pieces_max":5000}
    """
  private static let messages: [(Topic, String)] = [
    (.availability, "online"), (.live, reading),
    (.gesture, #"{"action":"commit","state":"selected","intention":0.98,"preview":null}"#),
    (
      .weighing,
      #"{"id":"a","sequence":1,"time":"2026-11-01T08:00:00.000Z","kind":"weighing","net_g":84,"label":"beans"}"#
    ),
    (.weighing, #"{"id":"b","sequence":2,"time":"2026-11-01T08:01:00.000Z","kind":"void","voids":"a","net_g":-84}"#),
    (
      .health,
      #"{"pad":{"state":"present","warning":"pad_suspect"},"journal":{"state":"available"},"outbox":{"waiting":0,"parked":2},"calibration":"user","configuration":{"state":"in_force"}}"#
    ),
    (.event, #"{"type":"rejected","action":"clear_tare","reason":"no_tare"}"#),
  ]

  private static func scale(_ language: Language) -> WatchedScale {
    let topics = Topics(prefix: "grampad", id: "kitchen")
    var scale = WatchedScale(topics: topics, heartbeat: .seconds(5), texts: .of(language))
    scale.setConnection(.up("mqtt://h:1883"), at: begin)
    for (topic, text) in messages {
      scale.update(
        with: IncomingMessage(topic: topics(topic), payload: Array(text.utf8), isRetained: false), at: begin)
    }
    return scale
  }

  private static func picture(_ scale: WatchedScale, _ columns: Int, _ rows: Int) -> [String] {
    WatchScreen.lines(
      scale, columns: columns, rows: rows, TerminalStyle(isUTF8: true, hasColour: false), at: begin
    ).map { $0.replacing(/\x{1b}\[[0-9;]*m/, with: "") }
  }

  @Test(arguments: [
    (
      Language.german,
      [
        "● STABIL", "Tara   100.0 g", "Brutto 1334.5 g", "zu wenig, noch 65.5 g", "42 Stück",
        "GEWÄHLT, nach oben schieben",
        "#1 storniert (netto 84.0 g)", "abgelehnt, Tara löschen: es ist keine Tara gesetzt",
        "✗ Pad das Pad setzt seinen Nullpunkt", "c erfassen",
      ]
    ),
    (
      .chinese,
      [
        "● 稳定", "皮重 100.0 g", "毛重 1334.5 g", "不足，还差 65.5 g", "42 件", "已选中，向上滑", "已作废 #1（净重 84.0 g）",
        "被拒绝, 清除皮重: 未设定皮重", "c 记录",
      ]
    ),
    (
      .japanese,
      [
        "● 安定", "風袋   100.0 g", "総重量 1334.5 g", "不足、残り 65.5 g", "42 個", "選択、上へスライド", "#1 を取消（正味 84.0 g）",
        "拒否, 風袋解除: 風袋が設定されていません", "c 記録",
      ]
    ),
  ]) func theFrameIsInTheLanguageOfTheUser(_ language: Language, _ words: [String]) {
    let lines = Self.picture(Self.scale(language), 80, 24)
    for word in words { #expect(lines.contains { $0.contains(word) }, "\(word) in \(lines.joined(separator: "\n"))") }
  }

  /// The values of the labelled lines begin in the same column in every language.
  @Test(arguments: Language.allCases) func theColumnsAreAligned(_ language: Language) throws {
    let lines = Self.picture(Self.scale(language), 80, 24)
    func column(of text: String) throws -> Int {
      let line = try #require(lines.first { $0.contains(text) }, "\(text) in \(lines.joined(separator: "\n"))")
      return TextColumns.width(String(line.prefix(upTo: try #require(line.firstRange(of: text)).lowerBound)))
    }
    #expect(try column(of: "0:27") == 12)
    #expect(try column(of: "42 ") == 12)
    #expect(try column(of: "#1 ") >= 12 && column(of: "#2 ") == 16)
    #expect(try column(of: "0.320 g") > 12)
  }

  @Test(arguments: Language.allCases) func everyFrameFitsIntoEverySize(_ language: Language) {
    let scale = Self.scale(language)
    for (columns, rows) in [(200, 60), (80, 24), (69, 13), (49, 11), (40, 24), (39, 9), (20, 6), (7, 3), (1, 1)] {
      let lines = Self.picture(scale, columns, rows)
      #expect(lines.allSatisfy { TextColumns.width($0) <= columns }, "\(columns)x\(rows): \(lines)")
      let quit = "q " + Texts.of(language)(.keyQuit)
      #expect(columns < 12 || lines.last?.hasSuffix(quit) == true || lines.last?.contains(quit + "  ") == true)
    }
  }

  @Test(arguments: [
    (Language.english, "1234.5 g  stable"), (.german, "1234.5 g  stabil"), (.chinese, "1234.5 g  稳定"),
    (.japanese, "1234.5 g  安定"),
  ]) func plainLinesAreInTheLanguageOfTheUser(_ language: Language, _ line: String) {
    var changes = WatchChanges()
    let lines = changes.lines(for: Self.scale(language))
    #expect(lines.contains { $0.hasSuffix(line) }, "\(lines)")
  }
}
