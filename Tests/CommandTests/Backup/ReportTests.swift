import Foundation
import FreePorts
import Testing

/// `report` with and without an appliance, and the data that it must never contain.
@Suite struct ReportTests {
  /// Creates a report and unpacks it.
  private func report(
    _ arguments: [String], in folder: TemporaryFolder, environment: [String] = []
  ) async throws -> (ended: Program.Ended, folder: String) {
    let file = "\(folder.path)/report.tar.gz"
    let ended = try await Program(
      "env", environment + [Program.path(), "report", "-o", file] + arguments
    ).ended(within: .seconds(120))
    try #require(ended.code == 0, "\(ended)")
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    let tar = try await Program("tar", ["-C", folder.path, "-xzf", file]).ended()
    #expect(tar.code == 0 && tar.complaints.isEmpty, "\(tar)")
    return (ended, "\(folder.path)/grampad-report")
  }

  private func text(_ name: String, in folder: String) -> String {
    String(decoding: FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data(), as: UTF8.self)
  }

  @Test func tellsOfARunningAppliance() async throws {
    let port = FreePort.any()
    let broker = try await Broker()
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "scale.yaml",
      """
      pad: \(RunningScale.plain)
      mqtt: {broker: "mqtt://127.0.0.1:\(broker.port)"}
      dashboard: {port: \(port)}
      """)
    let listener = try await Listener(broker.port)
    let program = try Program.grampad(["run", "--config", path])
    try await eventually("it runs") { listener.last("live") != nil && listener.last("health") != nil }
    let (ended, place) = try await report(
      ["--config", path], in: folder, environment: ["SUDO_UID=\(getuid())", "SUDO_GID=1234"])
    if geteuid() == 0 {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/report.tar.gz")
      #expect(attributes[.groupOwnerAccountID] as? Int == 1234, "it is the caller's")
    }
    #expect(value(in: text("healthz.json", in: place), ["status"]) as? String == "ok")
    #expect(text("metrics.txt", in: place).contains("grampad_reading_age_seconds"))
    #expect(value(in: text("health.json", in: place), ["pad", "state"]) as? String == "present")
    #expect(value(in: text("journal.json", in: place), ["weighings"]) as? Int == 0)
    #expect((value(in: text("journal.json", in: place), ["faults"]) as? [Any])?.isEmpty == true)
    #expect(text("system.txt", in: place).contains("grampad 0."))
    for line in text("contents.txt", in: place).split(separator: "\n") {
      #expect(ended.complaints.contains(line), "\(line)")
    }
    program.send(SIGTERM)
    #expect(try await program.ended().code == 0)
  }

  @Test func tellsWhatIsMissing() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("scale.yaml", "dashboard: {port: \(FreePort.any())}\nmqtt: {embedded_port: 0}\n")
    let (ended, place) = try await report(["--config", path, "--recording", "1"], in: folder)
    for subject in ["/healthz", "/metrics", "from the broker", "journal", "recording", "systemctl"] {
      #expect(ended.complaints.contains { $0.isNewline } && ended.complaints.contains(subject), "\(subject): \(ended)")
    }
    #expect(text("configuration.yaml", in: place).contains("capacity_g: 385"))
    let faulty = try folder.write("faulty.yaml", "scale: {capacity: 1}\n")
    let other = try TemporaryFolder()
    let (_, second) = try await report(["--config", faulty], in: other)
    #expect(text("configuration-faults.txt", in: second).contains("capacity_g"))
    #expect(text("configuration.yaml", in: second).isEmpty)
  }

  /// Secrets in all places: the report contains none of them.
  @Test func hasNoSecrets() async throws {
    let folder = try TemporaryFolder()
    let secrets = [
      "password-of-the-file", "token-of-the-file-0123", "password-of-environment", "token-of-environment-01",
      "password-of-the-unit", "token-in-unit-file-0123", String(repeating: "kEyLiNe", count: 8),
    ]
    try folder.write("password", secrets[0] + "\n")
    try folder.write("token", secrets[1] + "\n")
    try folder.write("unit.env", "GRAMPAD_DASHBOARD_TOKEN=\"\(secrets[5])\"\n")
    // A real pair, since a configuration with unusable files is refused; the secret is in text around the key.
    let made = try await Program(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=scale",
        "-keyout", "\(folder.path)/key.pem", "-out", "\(folder.path)/grampad.pem",
      ]
    ).ended()
    #expect(made.code == 0, "\(made.complaints)")
    try folder.write("key.pem", secrets[6] + "\n" + String(contentsOfFile: "\(folder.path)/key.pem", encoding: .utf8))
    try folder.write("ca.pem", String(contentsOfFile: "\(folder.path)/grampad.pem", encoding: .utf8))
    let all = secrets.joined(separator: " ")
    // What systemd would say: programs of these names come first in PATH.
    try folder.write("journalctl", "#!/bin/sh\necho 'log: \(all) mqtt://alice:pw-in-url@host'\n")
    try folder.write(
      "systemctl",
      """
      #!/bin/sh
      case "$*" in
        *EnvironmentFiles*) echo 'Environment=A=b GRAMPAD_MQTT_PASSWORD=\(secrets[4])'
          echo 'EnvironmentFiles=\(folder.path)/unit.env (ignore_errors=no)' ;;
        *) echo 'ActiveState=active'; echo 'StatusText=\(all)' ;;
      esac
      env
      """)
    for name in ["journalctl", "systemctl"] { chmod("\(folder.path)/\(name)", 0o755) }
    let path = try folder.write(
      "scale.yaml",
      """
      mqtt: {broker: "mqtts://127.0.0.1:1", username: alice-the-user, password_file: password, ca_file: ca.pem,
        certificate_file: grampad.pem, key_file: key.pem}
      dashboard: {enabled: false, token_file: token}
      actions: [{type: beans, title: Beans, user_info: {label: label-of-bob}}]
      """)
    let attached = try folder.write("notes.txt", "notes: \(all)\n")
    let (ended, place) = try await report(
      ["--config", path, "--attach", attached], in: folder,
      environment: [
        "PATH=\(folder.path):/usr/bin:/bin", "GRAMPAD_MQTT_PASSWORD=\(secrets[2])",
        "GRAMPAD_DASHBOARD_TOKEN=\(secrets[3])",
      ])
    for word in secrets + ["alice-the-user", "label-of-bob", "pw-in-url"] {
      let found = try await Program("grep", ["-r", "-l", "-F", word, place]).ended()
      #expect(found.code == 1, "\(word) is in \(found.output)")
      #expect(!ended.complaints.contains(word))
    }
    #expect(text("log.txt", in: place).hasPrefix("log: [redacted]"))
    #expect(text("service.txt", in: place).contains("ActiveState=active"))
    #expect(text("attached-1-notes.txt", in: place).hasPrefix("notes: [redacted]"))
    // The certificates are not in it at all.
    #expect(try await Program("grep", ["-r", "-l", "CERTIFICATE", place]).ended().code == 1)
    let saved = try await SavedScale(weighings: 1, extra: "dashboard: {token_file: token}\n")
    try saved.folder.write("token", secrets[1] + "\n")
    let backup = try await saved.saved(in: folder)
    #expect(try await Program("grep", ["-c", "-a", "-F", secrets[1], backup]).ended().code == 1)
  }

  @Test(.enabled(if: geteuid() == 0, "another user takes root")) func withoutRightsTheLogStaysOut() async throws {
    let folder = try TemporaryFolder()
    chmod(folder.path, 0o777)
    try folder.write("password", "password-of-the-file\n")
    chmod("\(folder.path)/password", 0o600)
    try folder.write("journalctl", "#!/bin/sh\necho 'log: password-of-the-file'\n")
    chmod("\(folder.path)/journalctl", 0o755)
    let path = try folder.write("scale.yaml", "mqtt: {username: a, password_file: password, embedded_port: 0}\n")
    let file = "\(folder.path)/report.tar.gz"
    let ended = try await Program(
      "setpriv",
      [
        "--reuid=65534", "--clear-groups", "env", "PATH=\(folder.path):/usr/bin:/bin", Program.path(), "report", "-o",
        file, "--config", path,
      ]
    ).ended(within: .seconds(120))
    #expect(ended.code == 0 && ended.complaints.contains("password, which cannot be read"), "\(ended)")
    let tar = try await Program("tar", ["-xzOf", file]).ended()
    #expect(!tar.output.contains("password-of-the-file"))
  }

  @Test func refusesWhatItCannotDo() async throws {
    let folder = try TemporaryFolder()
    let there = try folder.write("there", "x")
    for (arguments, code) in [
      (["-o", there], 73), (["-o", "\(folder.path)/no/x"], 73), (["--attach", "\(folder.path)/no"], 66),
      (["--recording", "0"], 64), (["left"], 64),
    ] as [([String], Int32)] {
      let ended = try await Program.run(["report"] + arguments)
      #expect(ended.code == code, "\(arguments): \(ended)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["there"])
  }
}
