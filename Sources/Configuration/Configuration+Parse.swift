import Languages
import Linux
import Weighing

extension Configuration {
  /// Checks of a configuration against its environment.
  package struct Checks: Sendable {
    /// Why a referenced file cannot be read; `nil` if it can.
    package var file: @Sendable (String) -> Sentence?
    /// Whether a path is the configuration file itself.
    package var isConfiguration: @Sendable (String) -> Bool
    /// Why a certificate or key file cannot be used; `nil` if all can. The paths are as given in the configuration.
    package var tls: @Sendable (MQTT) -> UnusableTLSFile?

    /// Makes checks; omitted checks always pass.
    package init(
      file: @escaping @Sendable (String) -> Sentence? = { _ in nil },
      isConfiguration: @escaping @Sendable (String) -> Bool = { _ in false },
      tls: @escaping @Sendable (MQTT) -> UnusableTLSFile? = { _ in nil }
    ) {
      (self.file, self.isConfiguration, self.tls) = (file, isConfiguration, tls)
    }
  }

  /// Why a certificate or key file of `mqtt` cannot be used.
  package struct UnusableTLSFile: Hashable, Sendable {
    /// The key that refers to the file.
    package var key: String
    /// What is wrong with the file, and what to do.
    package var reason: Sentence

    /// Makes a description of an unusable file.
    package init(key: String, reason: Sentence) {
      (self.key, self.reason) = (key, reason)
    }
  }

  /// Reads a configuration from YAML.
  ///
  /// - Parameters:
  ///   - yaml: The text in UTF-8; empty for all defaults, at most 1 MiB.
  ///   - file: The file name for diagnostics.
  /// - Throws: `ConfigurationError.invalid` with all diagnostics.
  package static func parse(
    _ yaml: String, file: String = "grampad.yaml", checks: Checks = Checks()
  ) throws(ConfigurationError) -> Configuration {
    try parse(bytes: Array(yaml.utf8), file: file, checks: checks)
  }

  /// Reads a configuration from the bytes of a file; see `parse(_:file:checks:)`.
  package static func parse(
    bytes: [UInt8], file: String, checks: Checks = Checks()
  ) throws(ConfigurationError) -> Configuration {
    let context = ParseContext(file: file, checks: checks)
    return try read(YAMLDocument(bytes, DiagnosticReporter(context: context, keyPath: "")).load(), context)
  }

  /// Reads a configuration from the root of its document; `nil` for all defaults.
  static func read(_ node: YAMLNode?, _ context: ParseContext) throws(ConfigurationError) -> Configuration {
    let root = DiagnosticReporter(context: context, keyPath: "")
    var reader = SectionReader(section: node, root)
    var configuration = Configuration(from: &reader)
    _ = reader.finish()
    configuration.resolveContradictions(root)
    checkReferences(context)
    guard context.diagnostics.isEmpty else { throw .invalid(context.diagnostics.sorted { $0.position < $1.position }) }
    return configuration
  }

  /// Rejects contradictory values of different sections. A default value is adjusted to a given one instead.
  private mutating func resolveContradictions(_ root: DiagnosticReporter) {
    let capacity = numberText(scale.capacity.value)
    if let position = root.context.positions["confirm.full_g"] {
      if confirm.full > scale.capacity {
        root.below("confirm.full_g").report(
          .configFullPress, ["mass": numberText(confirm.full.value), "capacity": capacity], at: position)
      }
    } else {
      confirm.full = min(confirm.full, scale.capacity)
    }
    if case .converter = pad.device { pad.surface = .platter }
    for (index, container) in containers.enumerated() where container.tare > scale.capacity {
      let key = "containers[\(index)].tare_g"
      guard let position = root.context.positions[key] else { continue }
      root.below(key).report(
        .configExceedsCapacity, ["mass": numberText(container.tare.value), "capacity": capacity], at: position)
    }
    for code in scanning.codes {
      guard let target = code.target, target > scale.capacity else { continue }
      let key = "codes.\(code.code.text).target_g"
      guard let position = root.context.positions[key] else { continue }
      root.below(key).report(
        .configExceedsCapacity, ["mass": numberText(target.value), "capacity": capacity], at: position)
    }
    checkFiles(root)
    checkPorts(root)
    checkOutputs(root)
    if let position = root.context.positions["stability.motion_g"], stability.motion >= scale.capacity {
      root.below("stability.motion_g").report(.configBelowCapacity, ["capacity": capacity], at: position)
    }
  }

  /// The journal is the only file that is written; its path must not be that of a file that is read.
  private func checkFiles(_ root: DiagnosticReporter) {
    guard let position = root.context.positions["journal.path"] else { return }
    let reporter = root.below("journal.path")
    if root.context.checks.isConfiguration(journal.path) {
      reporter.report(.configIsConfiguration, at: position, suggestion: "grampad.db")
    } else if let other = files.first(where: { $0.use != .data && $0.path == journal.path }) {
      reporter.report(.configIsFileOf, ["key": other.key], at: position, suggestion: "grampad.db")
    }
  }

  private func checkPorts(_ root: DiagnosticReporter) {
    guard mqtt.broker == .embedded, dashboard.isEnabled, dashboard.port == mqtt.embeddedPort, dashboard.port != 0
    else { return }
    let positions = root.context.positions
    let (key, other) =
      positions["dashboard.port"] == nil
      ? ("mqtt.embedded_port", "dashboard.port") : ("dashboard.port", "mqtt.embedded_port")
    guard let position = positions[key] else { return }
    root.below(key).report(.configIsPortOf, ["port": dashboard.port, "key": other], at: position)
  }

  private static func checkReferences(_ context: ParseContext) {
    for (type, position, reporter) in context.references where !context.types.contains(type) {
      reporter.report(
        .configUnknownAction, ["name": printable(type).debugDescription], at: position,
        suggestion: closest(to: type, in: Action.allCases.map(\.rawValue) + context.types))
    }
  }
}
