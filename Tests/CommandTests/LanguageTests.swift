import Foundation
import Testing

/// Commands in the language of the user. Exit codes, keys, places and what programs read are the same in every language.
@Suite struct LanguageTests {
  private static let german = ["LC_ALL": "", "LANG": "de_DE.UTF-8"]
  private static let japanese = ["LC_ALL": "ja_JP.UTF-8"]
  private static let chinese = ["LC_ALL": "zh_CN.UTF-8"]

  @Test func checkReportsFaults() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("scale.yaml", "scale:\n  capcity_g: 300\npad: {rotate: 45}\n")
    for (environment, lines) in [
      (
        Self.german,
        [
          "\(file):2:3: capcity_g: unbekannter Schlüssel in scale; ist capacity_g gemeint?",
          "\(file):3:15: pad.rotate: erwartet: 0, 90, 180 oder 270; gefunden: die Zahl 45",
        ]
      ),
      (
        Self.japanese,
        [
          "\(file):2:3: capcity_g: scale にないキーです。正しくは capacity_g ではありませんか？",
          "\(file):3:15: pad.rotate: 必要な値：0, 90, 180 または 270（現在の値：数値 45）",
        ]
      ),
    ] {
      let ended = try await Program.run(["check", file], environment: environment)
      #expect(ended.code == 78)
      #expect(ended.complaints == lines.joined(separator: "\n") + "\n")
    }
  }

  @Test func checkWarnsAndPrintsTheSameConfiguration() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("scale.yaml", "dashboard: {address: 0.0.0.0}\n")
    let english = try await Program.run(["check", file])
    let chinese = try await Program.run(["check", file], environment: Self.chinese)
    #expect(chinese.code == 0 && chinese.output == english.output)
    #expect(
      chinese.complaints == """
        grampad: 警告：dashboard.address: 其他机器可以查看页面，但在设置 dashboard.token_file 之前会拒绝操作
        grampad: \(file)：有效

        """)
    let german = try await Program.run(["check", "\(folder.path)/none.yaml"], environment: Self.german)
    #expect(german.code == 66)
    #expect(
      german.complaints
        == "grampad: \(folder.path)/none.yaml: Datei nicht gefunden; die Konfiguration mit --config angeben\n")
  }

  @Test func aConnectionFails() async throws {
    let port = try FreePort.any()
    for (environment, text) in [
      (Self.german, "kein Broker: mqtt://127.0.0.1:\(port): keine Verbindung möglich (Connection refused): "),
      (Self.japanese, "ブローカーがありません：mqtt://127.0.0.1:\(port): 接続できません（Connection refused）："),
    ] {
      let ended = try await Program.run(
        ["tare", "--broker", "mqtt://127.0.0.1:\(port)", "--timeout", "5"], environment: environment)
      #expect(ended.code == 69 && ended.complaints.hasPrefix("grampad: \(text)"), "\(ended.complaints)")
    }
  }

  /// The tests run where the devices of the machine may be readable or not; a file is no device anywhere.
  @Test func devicesAndRecordRefuseAFile() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("file", "")
    for (environment, text) in [
      (Self.german, "kein evdev-Gerät; die Geräte mit `grampad devices` auflisten"),
      (Self.japanese, "evdev デバイスではありません。`grampad devices` で一覧を確認してください"),
    ] {
      let recorded = try await Program.run(
        ["record", file, "-o", "\(folder.path)/x.evemu"], environment: environment)
      #expect(recorded.code == 66 && recorded.complaints == "grampad: \(file): \(text)\n", "\(recorded.complaints)")
    }
    let missing = try await Program.run(["devices", "--udev", "\(folder.path)/none"], environment: Self.german)
    #expect(missing.code == 66 && missing.complaints.contains("Gerät nicht gefunden; anschließen"))
  }

  @Test func diagnoseAdvisesInTheLanguageOfTheUser() async throws {
    let folder = try TemporaryFolder()
    // Five samples in 4 s, all the same: a converter without input.
    let events = (0..<5).map { "E: \($0).000001 0003 0018 4000\nE: \($0).000001 0000 0000 0000\n" }.joined()
    let file = try folder.write("cell.evemu", "N: cell\nI: 0003 1209 0001 0001\nA: 18 0 100000 0 0 100\n" + events)
    let german = try await Program.run(["diagnose", "--replay", file], environment: Self.german)
    #expect(german.code == 0)
    for words in ["Messwerte", "gesättigt", "Kalibrierung", "g je Digit; Teilung 1 g, Höchstlast"] {
      #expect(german.output.contains(words), "\(words): \(german.output)")
    }
    let japanese = try await Program.run(["diagnose", "--replay", file], environment: Self.japanese)
    for words in ["サンプル", "使用範囲", "1 カウントあたり 0.01 g。目量 1 g"] {
      #expect(japanese.output.contains(words), "\(words): \(japanese.output)")
    }
    // For programs, in English.
    let json = try await Program.run(["diagnose", "--replay", file, "--json"])
    let same = try await Program.run(["diagnose", "--replay", file, "--json"], environment: Self.chinese)
    #expect(json.output == same.output && !json.output.isEmpty)
  }
}
