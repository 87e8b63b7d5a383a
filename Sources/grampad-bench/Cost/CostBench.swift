/// Runs the contenders on the stand.
struct CostBench {
  /// Runs of each contender at each rate.
  var runs: Int
  /// Seconds of each at a rate.
  var seconds: Int
  /// Frames of each when driven flat out.
  var flatFrames: Int
  /// Seconds of looking on at rest.
  var idle: Int
  /// How the million frames come that the memory is to bear.
  var million: Drive

  /// What was found, by how it was driven and whose it is; the runs of one round have the same place in each list.
  struct Results {
    var driven: [Drive: [CostContender: [StandRun]]] = [:]
    var idle: [CostContender: [StandRun]] = [:]
    var million: [CostContender: StandRun] = [:]
    var whole: [CostContender: StandRun] = [:]
    var counted: [CostContender: Counts] = [:]
  }

  /// The rates that are asked about, frames a second.
  static let rates = [125, 1000]

  /// Looks at rest this often; it takes long, and there is little that could vary.
  private static let idleRounds = 3

  /// All but the counting.
  ///
  /// The contenders take turns, and each round begins with another of them, so that what the machine does beside meets all
  /// alike. Only at rest do they run at once: then nobody needs the processor.
  func measure(in shop: Workshop, _ progress: (String) -> Void) throws(CostError) -> Results {
    var results = Results()
    for contender in CostContender.allCases {
      progress("what \(contender.rawValue) publishes")
      results.whole[contender] = try StandRunning(contender, Drive(rate: 125, frames: 250), in: shop, all: true)
        .result()
    }
    let drives = Self.rates.map { Drive(rate: $0, frames: $0 * seconds) } + [Drive(rate: 0, frames: flatFrames)]
    for round in 0..<runs {
      for drive in drives {
        for contender in CostContender.allCases.rotated(by: round) {
          progress("round \(round + 1) of \(runs): \(contender.rawValue), \(drive.text)")
          let run = try StandRunning(contender, drive, in: shop).result()
          results.driven[drive, default: [:]][contender, default: []].append(run)
        }
      }
    }
    for round in 0..<Self.idleRounds where idle > 0 {
      progress("round \(round + 1) of \(Self.idleRounds): all, at rest for \(idle) s")
      var running: [(CostContender, StandRunning)] = []
      for contender in CostContender.allCases {
        running.append((contender, try StandRunning(contender, Drive(rate: 125, frames: 250, idle: idle), in: shop)))
      }
      for (contender, run) in running { results.idle[contender, default: []].append(try run.result()) }
    }
    for contender in [CostContender.grampad, .full] {
      progress("\(million.frames) frames: \(contender.rawValue), \(million.text)")
      results.million[contender] = try StandRunning(contender, million, in: shop).result()
    }
    return results
  }
}

extension Array {
  /// The same, beginning with the element at `count`, taken round and round.
  fileprivate func rotated(by count: Int) -> [Element] {
    isEmpty ? [] : Array(self[(count % self.count)...] + self[..<(count % self.count)])
  }
}
