/// The figures of a report, from what was measured.
struct CostFigures {
  private let results: CostBench.Results
  private(set) var all: [Figure] = []

  init(_ results: CostBench.Results) {
    self.results = results
    for drive in results.driven.keys.sorted(by: { ($0.rate == 0 ? .max : $0.rate) < ($1.rate == 0 ? .max : $1.rate) }) {
      if drive.rate == 0 { addFlatOut(drive) } else { addPaced(drive) }
    }
    addIdle()
    addMemory()
    addStart()
    addCounted()
    addWhole()
  }

  private mutating func addPaced(_ drive: Drive) {
    let runs = results.driven[drive] ?? [:]
    add("cpu_per_reading", "us", drive.text, runs, \.cpuPerReading)
    add("latency_p50", "us", drive.text, runs, \.p50Us)
    add("latency_p99", "us", drive.text, runs, \.p99Us)
    add("switches_per_reading", "1", drive.text, runs) { Double($0.switches) / Double(max($0.readings, 1)) }
    add("published_share", "1", drive.text, runs) { Double($0.matched) / Double($0.frames) }
    if drive.rate == 1000 {
      addRatio(
        "cpu_per_reading_to_c", drive.text, runs, to: .c, \.cpuPerReading,
        Goal("CPU per reading to C's at 1000/s", .atMost, 1.5))
      addRatio(
        "cpu_per_reading_to_python", drive.text, runs, to: .python, \.cpuPerReading,
        Goal("CPU per reading to Python's at 1000/s", .below, 0.5))
    }
    addRatio(
      "latency_p99_to_c", drive.text, runs, to: .c, \.p99Us, Goal("p99 latency to C's at \(drive.text)", .atMost, 1.5))
  }

  /// Grampad publishes no more than it is configured to, 1000 a second; the frames between go into the readings.
  private mutating func addFlatOut(_ drive: Drive) {
    let runs = results.driven[drive] ?? [:]
    add("frames_read", "1/s", drive.text, runs) { Double($0.frames) / $0.readS }
    add("readings_arrived", "1/s", drive.text, runs) { Double($0.readings) / $0.arrivedS }
    add("cpu_per_frame", "us", drive.text, runs) { $0.cpuS * 1e6 / Double($0.frames) }
    add("published_share", "1", drive.text, runs) { Double($0.readings) / Double($0.frames) }
    add("readings_torn", "1", drive.text, runs) { Double($0.torn) }
    add("complaints_logged", "1", drive.text, runs) { Double($0.complaints.count) }
  }

  private mutating func addIdle() {
    add("wake_ups", "1/s", "at rest", results.idle) {
      Double($0.idleSwitches) / $0.idleS
    } goal: { contender in
      contender == .grampad || contender == .full ? Goal("wake-ups at rest", .below, 1) : nil
    }
    add("cpu", "us/s", "at rest", results.idle) { $0.idleCpuS * 1e6 / $0.idleS }
  }

  private mutating func addMemory() {
    let paced = results.driven.first { $0.key.rate == CostBench.rates.last }?.value ?? [:]
    add("resident_memory", "MB", "1000/s", paced, \.memory)
    for (contender, run) in results.million.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let on = "\(run.frames) frames"
      let isFull = contender == .full
      all.append(
        Figure(
          "resident_memory", "MB", on: on, of: contender.rawValue, run.memory,
          goal: isFull ? Goal("resident memory, everything on", .below, 40) : nil))
      // Flat: no more than the allocator moves back and forth; a byte leaked a frame would be 0.9 MB.
      all.append(
        Figure(
          "memory_growth", "MB", on: on, of: contender.rawValue, run.growth,
          goal: isFull ? Goal("memory grown since a tenth of them", .below, 0.5) : nil))
    }
  }

  private mutating func addStart() {
    var runs: [CostContender: [StandRun]] = [:]
    for drive in results.driven.values { runs.merge(drive) { $0 + $1 } }
    add("start_to_first_reading", "ms", "start", runs) { $0.startS * 1000 }
  }

  private mutating func addCounted() {
    for contender in CostContender.allCases {
      guard let counts = results.counted[contender] else { continue }
      let name = contender.rawValue
      if let instructions = counts.instructions {
        all.append(Figure("instructions_per_reading", "1", on: "100/s", of: name, instructions))
      }
      all.append(Figure("system_calls_per_reading", "1", on: "125/s", of: name, counts.systemCalls))
      all.append(Figure("published_share", "1", on: "counted", of: name, counts.publishedShare))
    }
  }

  /// That all publish the same: a reading and the text on the display for each frame, of the same size.
  private mutating func addWhole() {
    let runs = results.whole.mapValues { [$0] }
    add("payload", "byte", "live", runs, \.payloadBytes)
    add("other_messages_per_reading", "1", "125/s", runs) { Double($0.others) / Double(max($0.readings, 1)) }
  }

  private mutating func add(
    _ what: String, _ unit: String, _ on: String, _ runs: [CostContender: [StandRun]],
    _ value: (StandRun) -> Double, goal: (CostContender) -> Goal? = { _ in nil }
  ) {
    for contender in CostContender.allCases {
      guard let values = runs[contender]?.map(value), !values.isEmpty else { continue }
      let complaint = runs[contender]?.lazy.flatMap(\.complaints).first
      all.append(
        Figure(
          what, unit, on: on, of: contender.rawValue, values.median,
          spread: values.count > 1 ? .quartiles(of: values) : nil, goal: goal(contender), remark: complaint))
    }
  }

  /// Grampad's value as a multiple of a peer's, round by round: what slows both down in a round is not in it.
  private mutating func addRatio(
    _ what: String, _ on: String, _ runs: [CostContender: [StandRun]], to peer: CostContender,
    _ value: (StandRun) -> Double, _ goal: Goal
  ) {
    for contender in [CostContender.grampad, .full] {
      let ratios = zip(runs[contender] ?? [], runs[peer] ?? []).map { value($0) / value($1) }
      guard !ratios.isEmpty else { continue }
      all.append(
        Figure(
          what, "1", on: on, of: contender.rawValue, ratios.median, spread: .quartiles(of: ratios),
          goal: contender == .grampad ? goal : nil))
    }
  }
}

extension [Double] {
  fileprivate var median: Double { sorted().quantile(0.5) }
}
