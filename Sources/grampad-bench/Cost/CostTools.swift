import Foundation

/// The programs that others made and that are needed to measure.
struct CostTools {
  var compiler: String
  var broker: String
  /// One that can import evdev and paho.
  var python: String
  /// What the compiler is told to find libevdev and libmosquitto.
  var flags: [String]
  /// What counts instead of timing; `nil` unless asked for.
  var counters: Counters?

  struct Counters {
    var valgrind: String
    var strace: String
    var strip: String
  }

  /// Looks for all of them.
  ///
  /// - Parameter counted: Whether those for `--counted` are needed too.
  /// - Throws: `CostError.missing` with the packages of all that is not there, under their names in Debian 12.
  init(counted: Bool, _ children: Children) throws(CostError) {
    var missing: [String] = []
    func find(_ name: String, in package: String) -> String {
      if let path = ToolPath.find(name) { return path }
      missing.append(package)
      return ""
    }
    compiler = find("cc", in: "gcc")
    broker = find("mosquitto", in: "mosquitto")
    python = ""
    flags = []
    let finder = find("pkg-config", in: "pkg-config")
    for (library, package) in [("libevdev", "libevdev-dev"), ("libmosquitto", "libmosquitto-dev")] {
      let answer =
        finder.isEmpty ? (status: 1, text: "") : try children.output([finder, "--cflags", "--libs", library])
      if answer.status != 0 { missing.append(package) }
      flags += answer.text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
    // The system's own first: what Debian's packages bring is there.
    for candidate in ["/usr/bin/python3", ToolPath.find("python3")].compactMap(\.self) where python.isEmpty {
      guard FileManager.default.isExecutableFile(atPath: candidate) else { continue }
      let answer = try children.output([candidate, "-c", "import evdev, paho.mqtt.client"])
      if answer.status == 0 { python = candidate }
    }
    if python.isEmpty { missing += ["python3-evdev", "python3-paho-mqtt"] }
    if counted {
      counters = Counters(
        valgrind: find("valgrind", in: "valgrind"), strace: find("strace", in: "strace"),
        strip: find("strip", in: "binutils"))
    }
    guard missing.isEmpty else { throw .missing(missing) }
  }
}
