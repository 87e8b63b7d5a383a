import Foundation
import FreePorts
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
    let file = try folder.write("scale.yaml", "dashboard: {address: 0.0.0.0, pairing: false}\n")
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
    let port = FreePort.any()
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
    for words in ["Messwerte", "gesättigt", "Kalibrierung", "g je Digit; Ziffernschritt 1 g, Höchstlast"] {
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

  /// A folder with a configuration and a journal of two weighings.
  private func journal() async throws -> (folder: TemporaryFolder, configuration: String) {
    let folder = try TemporaryFolder()
    let file = try folder.write("scale.yaml", "actions: [{type: rye, user_info: {label: rye-bread}}]\n")
    let recording = try folder.write("load.evemu", Recorded.oneLoad)
    let made = try await Program.run([
      "replay", recording, "--config", file, "--journal", "\(folder.path)/grampad.db", "--action", "rye@0.9",
      "--action", "void@0.95",
    ])
    #expect(made.code == 0, "\(made)")
    return (folder, file)
  }

  @Test func historyIsVerified() async throws {
    let (folder, file) = try await journal()
    let intact = try await Program.run(["history", "verify", "--config", file], environment: Self.german)
    #expect(
      intact.code == 0 && intact.output.hasPrefix("2 Wägungen und ")
        && intact.output.hasSuffix(
          " Einträge des Prüfprotokolls geprüft: nichts wurde verändert und nichts ging verloren.\n"),
      "\(intact)")
    let path = URL(fileURLWithPath: "\(folder.path)/grampad.db")
    var bytes = try Data(contentsOf: path)
    bytes[try #require(bytes.range(of: Data("rye-bread".utf8))).lowerBound] ^= 1
    try bytes.write(to: path)
    let altered = try await Program.run(["history", "verify", "--config", file], environment: Self.japanese)
    #expect(altered.code == 65 && altered.output.contains("：記録のハッシュが内容および"), "\(altered)")
    #expect(altered.complaints == "grampad: ジャーナルの検証に失敗しました\n")
    let missing = try await Program.run(
      ["history", "audit", "--journal", "\(folder.path)/none.db"], environment: Self.german)
    #expect(missing.code == 66)
    #expect(missing.complaints.contains("none.db: Journal nicht gefunden; `journal.path` prüfen"))
  }

  @Test func backupAndRestore() async throws {
    let (folder, file) = try await journal()
    let saved = try await Program.run(
      ["backup", "\(folder.path)/scale.tar", "--config", file], environment: Self.german)
    #expect(saved.code == 0)
    #expect(saved.complaints.contains("grampad:   Wägungen: 2, letzte #2; noch zu senden: "), "\(saved.complaints)")
    let exists = try await Program.run(
      ["backup", "\(folder.path)/scale.tar", "--config", file], environment: Self.japanese)
    #expect(exists.code == 73 && exists.complaints.contains("上書きするには --force を使ってください"))
    let fresh = try TemporaryFolder()
    let restored = try await Program.run(
      ["restore", "\(folder.path)/scale.tar", "--config", "\(fresh.path)/scale.yaml"], environment: Self.japanese)
    #expect(restored.code == 0)
    #expect(restored.complaints.contains("grampad: 設定ファイルを \(fresh.path)/scale.yaml に復元しました\n"))
    #expect(restored.complaints.hasSuffix("復元しました。機器を起動してください（systemctl start grampad）\n"))
    let text = try folder.write("text.tar", "no archive")
    let refused = try await Program.run(
      ["restore", text, "--config", "\(fresh.path)/other.yaml"], environment: Self.german)
    #expect(refused.code == 65 && refused.complaints.hasSuffix("; nichts geändert\n"), "\(refused.complaints)")
  }

  @Test func collectNamesTheDatabase() async throws {
    let ended = try await Program.run(
      ["collect", "--database", "host=/nonexistent dbname=x", "--broker", "mqtt://127.0.0.1:1"],
      environment: Self.german)
    #expect(ended.code == 69 && ended.complaints.contains("grampad: Datenbank: "), "\(ended.complaints)")
  }
}
