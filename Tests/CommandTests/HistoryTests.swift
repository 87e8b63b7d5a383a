import Foundation
import Testing

/// `history` of a journal written by `replay` and of one in use.
@Suite struct HistoryTests {
  @Test func isATableCSVAndJSON() async throws {
    let folder = try TemporaryFolder()
    let journal = "\(folder.path)/weighings.db"
    let label = "a \"b\", c"
    let file = try folder.write("scale.yaml", "actions: [{type: odd, user_info: {label: 'a \"b\", c'}}]\n")
    let recording = try folder.write("load.evemu", Recorded.oneLoad)
    let arguments = ["replay", recording, "--config", file, "--journal", journal]
    let first = try await Program.run(arguments + ["--action", "commit@0.9", "--action", "odd@0.95"])
    #expect(first.code == 0, "\(first)")
    let second = try await Program.run(arguments + ["--action", "commit@0.9", "--action", "void@0.95"])
    #expect(second.code == 0, "\(second)")
    for (run, numbers) in [(first, [1, 2]), (second, [3, 4])] {
      let lines = run.output.split(separator: "\n").map(String.init)
      let weighings = lines.filter { value(in: $0, ["topic"]) as? String == "weighing" }
      #expect(weighings.map { value(in: $0, ["payload", "sequence"]) as? Int } == numbers)
    }
    let list = try await recorded(in: journal)
    #expect(list.map(\.sequence) == [1, 2, 3, 4] && Set(list.map(\.id)).count == 4)

    let table = try await Program.run(["history", "--journal", journal])
    let rows = table.output.split(separator: "\n")
    #expect(rows.count == 7 && rows[0].hasPrefix("#  Time (UTC)") && rows[2].contains(label), "\(table.output)")
    #expect(rows[3].hasPrefix("3 ") && rows[3].hasSuffix("voided by #4"))
    #expect(rows[4] == "Total: 2 weighings, 200 g net; 1 voided", "\(table.output)")
    #expect(rows[5].hasPrefix("  (no label)") && rows[6].hasPrefix("  " + label))
    let one = try await Program.run(["history", "--journal", journal, "--label", label, "--limit", "9"])
    #expect(one.output.hasSuffix("\nTotal: 1 weighing, 100 g net\n"), "\(one.output)")
    let totals = try await Program.run(["history", "--journal", journal, "--totals"])
    let sums = totals.output.split(separator: "\n")
    #expect(sums.count == 4 && sums[0].hasPrefix("Day ") && sums[0].hasSuffix("Weighings  Net g"), "\(totals.output)")
    #expect(sums[1].contains("(no label)") && sums[1].hasSuffix(" 1    100"), "\(totals.output)")
    #expect(
      sums[2].contains(label) && sums[3].hasPrefix("Total ") && sums[3].hasSuffix(" 2    200"), "\(totals.output)")
    let summed = try await Program.run(["history", "--journal", journal, "--totals", "--csv", "--label", label])
    #expect(summed.output.hasPrefix("day,label,weighings,net_g\r\n") && summed.output.hasSuffix(",1,100\r\n"))
    let object = try await Program.run(["history", "--journal", journal, "--totals", "--json", "--label", label])
    #expect(object.output.hasSuffix("\"weighings\":1,\"net_g\":100}]\n"), "\(object.output)")
    let newest = try await Program.run(["history", "--journal", journal, "--limit", "1", "--json"])
    #expect(newest.output.contains("\"sequence\":4,\"kind\":\"void\"") && newest.output.contains("\"net_g\":-100"))
    let elsewhere = try await Program.grampad(
      ["history", "--journal", journal], environment: ["TZ": "XYZ-5:30"]
    ).ended()
    #expect(elsewhere.output.hasPrefix("#  Time (XYZ)") && elsewhere.output.contains(" 1970-01-01 05:30:0"))

    let named = try await Program.run(["history", "--journal", journal, "--ids"])
    for id in list.prefix(3).map(\.id) { #expect(named.output.contains("  \(id)\n"), "\(named.output)") }
    #expect(!table.output.contains(list[0].id))

    let csv = try await Program.run(["history", "--csv", "--journal", journal])
    try folder.write("history.csv", csv.output)
    let script = """
      import csv, json, sys
      print(json.dumps(list(csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8"), strict=True))))
      """
    let python = try await Program("python3", ["-c", script, "\(folder.path)/history.csv"]).ended()
    try #require(python.code == 0, "\(python.complaints)")
    let parsed = try #require(
      JSONSerialization.jsonObject(with: Data(python.output.utf8)) as? [[String: String]], "\(python.complaints)")
    #expect(parsed.map { $0["sequence"] } == ["1", "2", "3", "4"] && parsed.map { $0["id"] } == list.map(\.id))
    #expect(parsed.map { $0["label"] } == ["", label, "", ""])
    #expect(parsed[3]["voids"] == list[2].id && parsed[2]["voided_by"] == list[3].id)

    let json = try await Program.run(["history", "--json", "--journal", journal])
    let count = try await Program("jq", ["length"], input: folder.write("history.json", json.output)).ended()
    #expect(count.output == "4\n", "\(count.complaints)")

    #expect(parsed.compactMap { Double($0["net_g"] ?? "") }.reduce(0, +) == 200)
    for (until, expected) in [("1969-12-31", 0), ("1970-01-01", 4), ("1970-01-01T00:00:00", 0), ("1h", 4)] {
      let some = try await Program.run(["history", "--json", "--until", until, "--journal", journal])
      let found = try JSONSerialization.jsonObject(with: Data(some.output.utf8)) as? [Any]
      #expect(some.code == 0 && found?.count == expected, "\(until): \(some)")
    }
    for (since, expected) in [("1970-01-01", 4), ("1970-01-01T00:00:00Z", 4), ("1h", 0), ("2d", 0), ("2262-01-01", 0)] {
      let some = try await Program.run(["history", "--json", "--since", since, "--journal", journal])
      let found = try JSONSerialization.jsonObject(with: Data(some.output.utf8)) as? [Any]
      #expect(some.code == 0 && found?.count == expected, "\(since): \(some)")
    }
    let clean = try await Program.run(["history", "verify", "--journal", journal])
    #expect(clean.code == 0 && clean.output.contains("nothing was altered"), "\(clean)")
    try alter("a \"b\", c", in: journal)
    let altered = try await Program.run(["history", "verify", "--journal", journal])
    #expect(
      altered.code == 65 && altered.complaints == "grampad: journal verification failed\n", "\(altered)")
    #expect(altered.output.contains("fault"))
  }

  @Test func isReadWhileTheApplianceRuns() async throws {
    let stage = try await Stage(pad: RunningScale.plain)
    for number in 1...3 {
      _ = try await stage.command()
      #expect(try await stage.history().count == number)
      let verified = try await Program.run(["history", "verify", "--config", stage.scale.path])
      #expect(verified.code == 0 && verified.output.hasPrefix("\(number) weighings"), "\(verified)")
    }
    let recent = try await Program.run(["history", "--since", "1h", "--config", stage.scale.path])
    #expect(recent.output.split(separator: "\n").count == 5 && recent.output.contains("Total: 3 weighings, "))
    #expect(try await stage.command()("ok") as? Bool == true)
  }

  @Test func saysWhatIsWrong() async throws {
    let folder = try TemporaryFolder()
    let missing = try await Program.run(["history", "--journal", "\(folder.path)/no.db"])
    #expect(missing.code == 66 && missing.complaints.hasPrefix("grampad: \(folder.path)/no.db: no such journal"))
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/no.db"))
    for arguments in [
      ["--since", "soon"], ["--since", "2026-02-30"], ["--until", "2026-13-01"], ["--since", "2026-11-01T24:00"],
      ["--limit", "0"], ["--csv", "--json"], ["--since", "-1h"], ["--since", "9999-01-01"], ["left"],
    ] {
      #expect(try await Program.run(["history"] + arguments).code == 64, "\(arguments)")
    }
    for content in ["raw,grams\n", String(repeating: "no journal\n", count: 1000)] {
      let other = try await Program.run(["history", "--journal", try folder.write("other.db", content)])
      #expect(other.code != 0 && other.complaints.contains("is not a Grampad journal"), "\(other)")
    }
    let recording = try folder.write("load.evemu", Recorded.oneLoad)
    let nowhere = try await Program.run(
      ["replay", recording, "--action", "commit@0.9", "--journal", "\(folder.path)/no/such.db"])
    #expect(nowhere.code == 73, "\(nowhere)")
    #expect(nowhere.complaints.hasPrefix("grampad: \(folder.path)/no/such.db: cannot create the journal"))
    let noDatabase = try await Program.run(["replay", recording, "--journal", folder.path])
    #expect(noDatabase.code != 0 && noDatabase.complaints.contains("not a regular file"), "\(noDatabase)")
  }

  /// Changes a byte of a text in a file.
  private func alter(_ text: String, in path: String) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let place = try #require(bytes.range(of: Data(text.utf8)))
    bytes[place.lowerBound] ^= 1
    try bytes.write(to: URL(fileURLWithPath: path))
  }
}
