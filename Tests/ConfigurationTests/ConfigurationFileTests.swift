import Client
import Foundation
import Linux
import Testing

@testable import Configuration

/// Real files in a temporary folder: reading, reloading, watching.
@Suite struct ConfigurationFileTests {
  @Test func reportsWhyAFileCannotBeRead() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    #expect(throws: ConfigurationError.missing(path: folder.path + "/no.yaml")) {
      try ConfigurationFile(path: folder.path + "/no.yaml")
    }
    #expect(throws: ConfigurationError.missing(path: "/etc/passwd/no.yaml")) {
      try ConfigurationFile(path: "/etc/passwd/no.yaml")
    }
    #expect(throws: ConfigurationError.notAFile(path: folder.path)) { try ConfigurationFile(path: folder.path) }
    #expect(throws: ConfigurationError.notAFile(path: "/dev/zero")) { try ConfigurationFile(path: "/dev/zero") }
    #expect(mkfifo(folder.path + "/fifo", 0o600) == 0)
    #expect(throws: ConfigurationError.notAFile(path: folder.path + "/fifo")) {
      try ConfigurationFile(path: folder.path + "/fifo")
    }
    #expect(FileError(.permissionDenied) == .noPermission)
    if geteuid() != 0 {
      try folder.write("", to: "secret.yaml")
      chmod(folder.path + "/secret.yaml", 0)
      #expect(throws: ConfigurationError.noPermission(path: folder.path + "/secret.yaml")) {
        try ConfigurationFile(path: folder.path + "/secret.yaml")
      }
    }
  }

  @Test func anInvalidFileKeepsThePreviousConfiguration() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("scale: {capacity_g: 500}", to: "g.yaml")
    var file = try ConfigurationFile(path: folder.path + "/g.yaml")
    let old = file.current
    try folder.write("scale: {capacity_g: none}", to: "g.yaml")
    guard case .failure(.invalid(let diagnostics)) = file.reload() else {
      Issue.record("an invalid file was accepted")
      return
    }
    #expect(diagnostics.map(\.description).first?.hasPrefix("\(folder.path)/g.yaml:1:21: scale.capacity_g: ") == true)
    #expect(file.current == old)
    try folder.write("scale: {capacity_g: 600}\nstability: {time_ms: 200}", to: "g.yaml")
    let new = try file.reload().get()
    #expect(file.current == new)
    #expect(new.keysNeedingRestart(from: old) == [])
  }

  @Test func referencedFilesMustExist() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("geheim\nrest\n", to: "password.txt")
    try folder.write("x", to: "ca.pem")
    let keys = "certificate_file: no.pem, key_file: ."
    try folder.write(
      "mqtt: {broker: \"mqtts://h\", username: u, password_file: password.txt, ca_file: ca.pem, \(keys)}", to: "g.yaml")
    let error = #expect(throws: ConfigurationError.self) {
      try ConfigurationFile(path: folder.path + "/g.yaml", tls: Configuration.UnusableTLSFile.find)
    }
    guard case .invalid(let diagnostics) = error else { return }
    #expect(
      diagnostics.map(\.message.description) == [
        "contains no certificate in PEM format", "no such file: \(folder.path)/no.pem", "not a file: \(folder.path)/.",
      ])
    #expect(diagnostics.map(\.keyPath) == ["mqtt.ca_file", "mqtt.certificate_file", "mqtt.key_file"])
  }

  /// A reload must not leave the appliance with files that fail at the next connection.
  @Test func aReloadRejectsAFileWithoutCertificates() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("no certificate\n", to: "ca.pem")
    try folder.write("mqtt: {broker: \"mqtts://h\"}\n", to: "g.yaml")
    var file = try ConfigurationFile(path: folder.path + "/g.yaml", tls: Configuration.UnusableTLSFile.find)
    let old = file.current
    try folder.write("mqtt: {broker: \"mqtts://h\", ca_file: ca.pem}\n", to: "g.yaml")
    guard case .failure(.invalid(let diagnostics)) = file.reload() else {
      Issue.record("accepted")
      return
    }
    #expect(diagnostics.map(\.keyPath) == ["mqtt.ca_file"])
    #expect(file.current == old)
  }

  @Test func thePasswordComesFromTheEnvironmentOrTheFile() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("geheim \r\nrest\n", to: "p")
    try folder.write("\n", to: "empty")
    var mqtt = Configuration.MQTT()
    mqtt.passwordFile = "p"
    #expect(try mqtt.password(environment: [:], folder: folder.path) == nil)
    mqtt.username = "u"
    #expect(try mqtt.password(environment: [:], folder: folder.path) == "geheim ")
    #expect(try mqtt.password(environment: ["GRAMPAD_MQTT_PASSWORD": ""], folder: folder.path) == "geheim ")
    #expect(try mqtt.password(environment: ["GRAMPAD_MQTT_PASSWORD": "e"], folder: folder.path) == "e")
    for name in ["empty", "missing"] {
      mqtt.passwordFile = name
      #expect(throws: PasswordError.self) { try mqtt.password(environment: [:], folder: folder.path) }
    }
    var configuration = Configuration()
    configuration.mqtt = mqtt
    #expect(!configuration.resolvedYAML().contains("geheim"))
  }

  @Test func resolvesRelativePaths() {
    var configuration = Configuration()
    configuration.mqtt.caFile = "ca.pem"
    configuration.mqtt.keyFile = "/etc/key.pem"
    configuration.sics.terminal = "balance"
    let resolved = configuration.resolvingPaths(
      in: "/etc/grampad", stateFolder: "/var/lib/grampad/", runtimeFolder: "/run/grampad")
    #expect(resolved.sics.terminal == "/run/grampad/balance")
    #expect(resolved.mqtt.caFile == "/etc/grampad/ca.pem")
    #expect(resolved.mqtt.keyFile == "/etc/key.pem")
    #expect(resolved.journal.path == "/var/lib/grampad/grampad.db")
    #expect(configuration.resolvingPaths(in: "/etc").journal.path == "/etc/grampad.db")
  }

  @Test func keepsTheValuesOfKeysThatNeedARestart() throws {
    let changed = try Configuration.parse(
      """
      device: {id: a}
      pad: {grab: false}
      scale: {capacity_g: 10}
      calibration: {curve: linear}
      stability: {time_ms: 1}
      confirm: {slide: 1}
      buttons: [{key: KEY_A, action: tare}]
      actions: [{type: a}]
      mqtt: {broker: "mqtt://h", prefix: b, embedded_port: 1}
      publish: {contacts: true}
      home_assistant: {discovery: false}
      journal: {path: b}
      dashboard: {port: 1}
      metrics: {enabled: false}
      """)
    let restart = ["device.id", "mqtt.broker", "mqtt.prefix", "mqtt.embedded_port", "journal.path", "dashboard.port"]
    #expect(changed.keysNeedingRestart(from: Configuration()) == restart)
    let kept = changed.keepingKeysThatNeedRestart(of: Configuration())
    #expect(kept.keysNeedingRestart(from: Configuration()) == [])
    #expect(kept.scale == changed.scale && kept.dashboard.port == Configuration().dashboard.port)
  }

  @Test(arguments: ["write", "replace", "link", "data", "target"]) func reportsASavedFileOnce(_ way: String) throws {
    let folder = try TemporaryFolder()
    let elsewhere = try TemporaryFolder()
    defer {
      folder.remove()
      elsewhere.remove()
    }
    let path = folder.path + "/g.yaml"
    try elsewhere.write("", to: "target.yaml")
    if way == "target" {
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere.path + "/target.yaml")
    } else if way != "link" {
      try folder.write("", to: "g.yaml")
    }
    let watch = try ConfigurationWatch(location: path)
    #expect(!becomesReadable(watch, within: 0))

    try folder.write("", to: "other.txt")
    #expect(!watch.drain())
    #expect(!becomesReadable(watch, within: 200))

    switch way {
    case "write": for _ in 0..<5 { try folder.write("scale: {}", to: "g.yaml") }
    case "replace":
      try folder.write("scale: {}", to: "g.yaml~")
      #expect(rename(folder.path + "/g.yaml~", path) == 0)
    case "link": #expect(symlink(elsewhere.path + "/target.yaml", path) == 0)
    case "data":
      #expect(symlink(elsewhere.path, folder.path + "/..new") == 0)
      #expect(rename(folder.path + "/..new", folder.path + "/..data") == 0)
    default: try elsewhere.write("scale: {}", to: "target.yaml")
    }
    var count = 0
    while becomesReadable(watch, within: count == 0 ? 5000 : 300) { count += watch.drain() ? 1 : 0 }
    #expect(count == 1)
  }

  @Test func reportsFurtherChanges() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let watch = try ConfigurationWatch(location: folder.path + "/g.yaml")
    for _ in 0..<2 {
      try folder.write("scale: {}", to: "g.yaml")
      repeat { try #require(becomesReadable(watch, within: 20_000)) } while !watch.drain()
    }
  }

  @Test func aMissingFolderCannotBeWatched() {
    #expect(throws: ConfigurationWatchError.self) { try ConfigurationWatch(location: "/nowhere/g.yaml") }
  }

  private func becomesReadable(_ watch: ConfigurationWatch, within milliseconds: CInt) -> Bool {
    var request = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, milliseconds) > 0
  }
}
