import Foundation

/// The external programs that the measurement requires.
struct CostTools {
  var compiler: String
  var broker: String
  /// A Python interpreter that can import evdev and paho.
  var python: String
  /// Compiler flags for libevdev and libmosquitto.
  var flags: [String]
  /// The tools for `--counted`; `nil` without that option.
  var counters: Counters?

  struct Counters {
    var valgrind: String
    var strace: String
    var strip: String
  }

  /// Finds all tools.
  ///
  /// - Parameter counted: Whether the tools for `--counted` are required.
  /// - Throws: `CostError.missing` with the Debian 12 packages of all missing tools.
  init(counted: Bool, _ children: ChildProcesses) throws(CostError) {
    var tools = RequiredTools()
    compiler = tools.find("cc", in: "gcc")
    broker = tools.find("mosquitto", in: "mosquitto")
    python = ""
    flags = []
    let finder = tools.find("pkg-config", in: "pkg-config")
    for (library, package) in [("libevdev", "libevdev-dev"), ("libmosquitto", "libmosquitto-dev")] {
      let answer =
        finder.isEmpty ? (status: 1, text: "") : try children.output([finder, "--cflags", "--libs", library])
      if answer.status != 0 { tools.report(package) }
      flags += answer.text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
    // The system's interpreter first, because Debian's packages install modules for it.
    for candidate in ["/usr/bin/python3", RequiredTools.path(of: "python3")].compactMap(\.self) where python.isEmpty {
      guard FileManager.default.isExecutableFile(atPath: candidate) else { continue }
      let answer = try children.output([candidate, "-c", "import evdev, paho.mqtt.client"])
      if answer.status == 0 { python = candidate }
    }
    if python.isEmpty { tools.report("python3-evdev", "python3-paho-mqtt") }
    if counted {
      counters = Counters(
        valgrind: tools.find("valgrind", in: "valgrind"), strace: tools.find("strace", in: "strace"),
        strip: tools.find("strip", in: "binutils"))
    }
    try tools.check()
  }
}
