import Foundation

/// How the stand drives a program.
struct Drive: Hashable {
  /// Frames a second; 0 for as fast as they are read.
  var rate: Int
  var frames: Int
  /// How long it looks on when the finger is off, in seconds.
  var idle = 0

  /// In the words of a report.
  var text: String { rate == 0 ? "flat out" : "\(rate)/s" }
}

/// What one run on the stand has shown; see the end of Baselines/stand.c.
struct StandRun: Decodable {
  var frames: Int
  var readings: Int
  var matched: Int
  var torn: Int
  var others: Int
  var payloadBytes: Double
  var readS: Double
  var arrivedS: Double
  var cpuS: Double
  var switches: Int
  var p50Us: Double
  var p99Us: Double
  var mostUs: Double
  var startS: Double
  var idleS: Double
  var idleSwitches: Int
  var idleCpuS: Double
  /// In kibibytes: at the start, at every tenth of the frames, at the end.
  var rssKb: [Int]
  /// What the program logged of trouble.
  var complaints: [String] = []

  enum CodingKeys: String, CodingKey {
    case frames, readings, matched, torn, others, payloadBytes, readS, arrivedS, cpuS, switches, p50Us, p99Us, mostUs
    case startS, idleS, idleSwitches, idleCpuS, rssKb
  }

  /// Microseconds of the processor for each reading that was published.
  var cpuPerReading: Double { cpuS * 1e6 / Double(max(readings, 1)) }
  /// Resident megabytes (of 1,000,000 bytes) at the end.
  var memory: Double { Self.megabytes(rssKb.last ?? 0) }
  /// By how many megabytes it has grown since a tenth of the frames.
  var growth: Double { rssKb.count > 1 ? memory - Self.megabytes(rssKb[1]) : 0 }

  private static func megabytes(_ kibibytes: Int) -> Double { Double(kibibytes) * 1024 / 1e6 }
}

/// A contender on the stand, running.
struct StandRunning {
  private let contender: CostContender
  private let shop: Workshop
  private let process: pid_t
  private let output: String
  private let log: String

  /// Starts it.
  ///
  /// - Parameters:
  ///   - wrapper: What the program runs in: a tool that counts, and its options.
  ///   - all: Whether the stand listens to everything that the program publishes, and not only to readings.
  init(
    _ contender: CostContender, _ drive: Drive, in shop: Workshop, wrapper: [String] = [], all: Bool = false
  ) throws(CostError) {
    self.contender = contender
    self.shop = shop
    let name = shop.path("\(contender.rawValue).\(UUID())")
    output = name + ".json"
    log = name + ".log"
    let filter = contender.prefix + (all ? "/#" : "/live")
    process = try shop.children.start(
      [
        shop.path("stand"), shop.path("pad.so"), shop.path(contender.rawValue + ".pad"), "\(shop.port)", filter,
        "\(drive.rate)", "\(drive.frames)", "\(drive.idle)",
      ] + wrapper + contender.command(in: shop), output: output, error: log)
  }

  /// Waits until it is done.
  ///
  /// - Throws: `CostError.failed` or `.interrupted`.
  func result() throws(CostError) -> StandRun {
    let status = try shop.children.wait(for: process)
    let words = Children.text(log)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard status == 0, var run = try? decoder.decode(StandRun.self, from: Data(Children.text(output).utf8)) else {
      throw .failed(contender.rawValue, status: status, output: String(words.suffix(2000)))
    }
    run.complaints = words.split(separator: "\n").map(String.init).filter {
      $0.contains(" warning ") || $0.contains(" error ") || $0.contains("lost")
    }
    for path in [output, log] { try? FileManager.default.removeItem(atPath: path) }
    return run
  }
}
