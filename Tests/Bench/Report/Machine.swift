import Foundation

/// The machine of a measurement.
struct Machine: Encodable, Sendable {
  /// The model of the processor as reported by the kernel.
  var processor: String
  /// Number of active cores.
  var cores: Int
  /// Name, release and architecture of the kernel.
  var kernel: String
  /// The load average of the last minute before the measurement; `nil` if unknown.
  var load: Double?

  /// The current machine.
  static var here: Machine {
    var names = utsname()
    uname(&names)
    let kernel = [text(names.sysname), text(names.release), text(names.machine)].joined(separator: " ")
    let average = contents("/proc/loadavg").split(separator: " ").first
    return Machine(
      processor: processorName ?? text(names.machine), cores: ProcessInfo.processInfo.activeProcessorCount,
      kernel: kernel, load: average.flatMap { Double($0) })
  }

  /// `model name` on x86, `Model` on a Raspberry Pi.
  private static var processorName: String? {
    for line in contents("/proc/cpuinfo").split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if parts.count == 2, parts[0] == "model name" || parts[0] == "Model" { return parts[1] }
    }
    return nil
  }

  private static func contents(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

  /// Converts a C string in a tuple of characters.
  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
