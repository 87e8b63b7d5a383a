import Weighing

extension ScaleSettings {
  /// A pad with a history on the left, two controls above each other on the right, and a load between them.
  static var hands: ScaleSettings {
    var settings = ScaleSettings()
    settings.zones = Zones([
      Zones.Zone(.history, .init(x: 0...0.15, y: 0...1)),
      Zones.Zone(.control(.lamp), .init(x: 0.85...1, y: 0...0.4)),
      Zones.Zone(.control(.fan), .init(x: 0.85...1, y: 0.5...1)),
      Zones.Zone(.action("commit"), .init(x: 0.2...0.8, y: 0...0.1)),
      Zones.Zone(.action("void"), .init(x: 0.2...0.8, y: 0.9...1)),
    ])
    return settings
  }
}

extension ControlName {
  static let lamp = name("lamp")
  static let fan = name("fan")

  private static func name(_ text: String) -> ControlName {
    guard let name = ControlName(text) else { preconditionFailure("\(text) is no name") }
    return name
  }
}

extension RecordedWeighing {
  /// A weighing with a number, which is also its net in grams.
  static func numbered(_ sequence: Int) -> RecordedWeighing {
    let net = DisplayedMass(steps: sequence, division: .gram)
    return RecordedWeighing(
      id: WeighingID(time: Instant(nanoseconds: 0), randomness: (0, UInt64(sequence))), sequence: sequence,
      time: Instant(nanoseconds: 0),
      measurement: Measurement(
        gross: net, tare: DisplayedMass(steps: 0, division: .gram), net: net, uncertainty: nil, calibration: .user),
      label: nil, source: .pad, calibrationCounter: 0, configurationHash: "", voids: nil)
  }
}

extension [RecordedWeighing] {
  /// Weighings with these numbers, newest first.
  static func numbered(_ sequences: ClosedRange<Int>) -> [RecordedWeighing] {
    sequences.reversed().map(RecordedWeighing.numbered)
  }
}

extension Contact {
  /// A finger in the history; its force is a fraction of 173 g, two counts a gram.
  static func scrub(_ force: Double, at height: Double = 0.8, x: Double = 0.05, serial: UInt64 = 2) -> Contact {
    .finger(force, at: height, x: x, serial: serial, from: 0.8, fromX: 0.05)
  }

  /// A finger on the upper control.
  static func fade(_ force: Double, at height: Double = 0.2, x: Double = 0.925, serial: UInt64 = 2) -> Contact {
    .finger(force, at: height, x: x, serial: serial, from: 0.2, fromX: 0.925)
  }
}

extension [Effect] {
  /// The numbers of the previewed weighings, each where it changed; `nil` without a preview.
  var previews: [Int?] {
    gestures.reduce(into: []) { numbers, report in
      let number = report.preview?.weighing?.sequence
      if numbers.last != .some(number) { numbers.append(number) }
    }
  }
  /// The numbers of the recalled weighings.
  var recalls: [Int] { events.compactMap { if case .recalled(let record) = $0 { record.sequence } else { nil } } }
  var controls: [ControlReport] { compactMap { if case .control(let report) = $0 { report } else { nil } } }
}
