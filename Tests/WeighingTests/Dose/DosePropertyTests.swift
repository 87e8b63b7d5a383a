import Recordings
import TestExtent
import Testing
import Weighing

/// Doses with random faults and random commands: whatever happens, the output is off in the end.
@Suite struct DosePropertyTests {
  /// What happens to a dose.
  enum Fault: CaseIterable {
    case nothing, padLost, replugged, silent, frozen, spike, disconnected, reconnected, refused, lifted, touched
    case targetChanged, targetEnded, tared, zeroed, stopped, reloaded, reloadedOutputs, shutdown, empty, tooFast,
      overload
    case otherRequest

    /// Whether the output is off with the fault itself.
    var endsAtOnce: Bool {
      switch self {
      case .padLost, .replugged, .disconnected, .reconnected, .refused, .targetChanged, .targetEnded, .tared, .stopped,
        .reloaded, .reloadedOutputs, .shutdown:
        true
      case .nothing, .silent, .frozen, .spike, .lifted, .touched, .zeroed, .empty, .tooFast, .overload, .otherRequest:
        false
      }
    }

    /// The longest time from the fault to its being known, in seconds; `nil` if it is no reason to end.
    var detection: Double? {
      switch self {
      case .lifted, .overload: 0
      case .silent: 0.6
      // Known noise shows it within 3 s; until then, the mean of 0.5 s does not grow for 5 s.
      case .frozen: 6
      case .tooFast: 1.5
      // 5 s, and again if noise looks like growth once.
      case .empty: 12
      default: endsAtOnce ? 0 : nil
      }
    }
  }

  /// 10,000 doses, a hundred on each scale.
  @Test(arguments: Extent.of(0..<100)) func theLastThingAnOutputGetsIsOff(_ batch: Int) throws {
    var random = SplitMix64(seed: UInt64(batch) &+ 77)
    let rate = [10.0, 10, 10, 20, 40][Int(random.next() % 5)]
    var scale = try DosedScale(rate: rate, noise: 0.02 + 0.2 * random.unit(), seed: UInt64(batch))
    scale.run(for: 3)
    #expect(!scale.take().switchings.contains(true), "nothing is switched on at the start")
    for dose in 0..<100 {
      scale.flow = 0.5 + 8 * random.unit()
      scale.deadTime = 0.05 + random.unit()
      scale.prepare(quickly: true)
      let label = ["", "beans", "rice"][Int(random.next() % 3)]
      scale.start(5 + 30 * random.unit(), label: label)
      let fault = Fault.allCases[Int(random.next() % UInt64(Fault.allCases.count))]
      let begin = scale.time + 5 * random.unit()
      while scale.time < begin { scale.sample() }
      let wasOn = scale.isOn
      let faultTime = scale.time
      scale.cause(fault, &random)
      if fault.endsAtOnce { #expect(!scale.isOn, "\(batch)/\(dose): \(fault)") }
      let end = faultTime + (fault.detection ?? 0) + 2.2 / rate + 0.2
      while scale.time < end { scale.sample() }
      if wasOn, fault.detection != nil {
        let off = scale.switchings.last
        #expect(
          !scale.isOn && (off?.time ?? .infinity) <= faultTime + (fault.detection ?? 0) + 0.2 + 1.5 / rate,
          "\(batch)/\(dose): \(fault), \(String(describing: off))")
      }
      scale.recover()
      #expect(!scale.isOn && scale.take().switchings.last != true, "\(batch)/\(dose): \(fault)")
    }
    #expect(scale.ledger.faults.isEmpty, "\(batch): \(scale.ledger.faults.prefix(3))")
  }

  /// The same inputs have the same effects, however often somebody looks at the time between them.
  @Test(arguments: Extent.of(0..<40)) func extraLooksChangeNothing(_ seed: Int) throws {
    func effects(extra: Bool) throws -> [Effect] {
      var random = SplitMix64(seed: UInt64(seed))
      var looks = SplitMix64(seed: UInt64(seed) + 1000)
      var scale = try DosedScale(rate: seed % 2 == 0 ? 5 : 20, seed: UInt64(seed))
      for _ in 0..<4 {
        scale.flow = 0.5 + 6 * random.unit()
        scale.prepare()
        scale.start(10)
        let fault = Fault.allCases[Int(random.next() % UInt64(Fault.allCases.count))]
        let begin = scale.time + 4 * random.unit()
        while scale.time < begin { scale.sample(extraLooks: extra ? Int(looks.next() % 4) : 0) }
        scale.cause(fault, &random)
        for _ in 0..<60 { scale.sample(extraLooks: extra ? Int(looks.next() % 4) : 0) }
        scale.recover()
      }
      return scale.take()
    }
    let (plain, looked) = (try effects(extra: false), try effects(extra: true))
    let difference = zip(plain, looked).first { $0 != $1 }
    #expect(plain.count == looked.count && difference == nil, "\(String(describing: difference))")
    #expect(plain.switchings.contains(true))
  }
}

extension DosedScale {
  /// Empties the vessel and tares, without waiting longer than needed.
  fileprivate mutating func prepare(quickly: Bool) {
    clearPour()
    added = 0
    run(for: 1)
    ask(.tare)
    run(for: 1)
    _ = take()
  }

  /// One sample after some looks at the time.
  fileprivate mutating func sample(extraLooks: Int) {
    if extraLooks > 0 { look(extraLooks) }
    sample()
  }

  fileprivate mutating func cause(_ fault: DosePropertyTests.Fault, _ random: inout SplitMix64) {
    switch fault {
    case .nothing: break
    case .padLost: handle(.padLost("unplugged"))
    case .replugged: replug()
    case .silent: wait(1)
    case .frozen: freeze(for: 6.3)
    case .spike: sample(off: 200 * random.unit() - 100)
    case .disconnected: handle(.connection(isConnected: false))
    case .reconnected: handle(.connection(isConnected: true))
    case .refused: if let output = Self.grinder { handle(.outputRefused(output)) }
    case .lifted: added = -(base + 1000)
    case .touched: added += 20 * random.unit() - 5
    case .targetChanged: ask(.target, .target(Target(mass: Grams(1 + 40 * random.unit()), stopsAhead: true)))
    case .targetEnded: ask(.target)
    case .tared: ask(.tare, .tare(.mass(Grams(3))))
    case .zeroed: ask(.zero)
    case .stopped: ask(.dose)
    case .reloaded: change { $0.scale.minimum = $0.scale.minimum + Grams(0.001) }
    case .reloadedOutputs: change { $0.outputs = $0.outputs.map { Output(name: $0.name, maximumFlow: 24) } + [] }
    case .shutdown: handle(.shutdown)
    case .empty: flow = 0
    case .tooFast: flow = 90
    case .overload: added = 3000
    case .otherRequest:
      ask([Action.count, .commit, .timer, .void].randomElement(using: &random) ?? .commit)
      start(10)
    }
  }

  /// Undoes a fault and waits until nothing is left of the dose.
  fileprivate mutating func recover() {
    added = 0
    if machine.reading.state == .offline { replug() }
    change { $0.outputs = [Self.grinder].compactMap(\.self).map { Output(name: $0) } }
    handle(.connection(isConnected: true))
    ask(.dose)
    ask(.target)
    ask(.clearTare)
  }
}
