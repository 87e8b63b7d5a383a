import ArgumentParser
import Commands
import EvdevInput
import Glibc
import Languages
import Linux
import Messages
import Terminal
import Weighing

/// `devices`
struct Devices: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the input devices and load-cell converters, and why each can or cannot weigh.",
    discussion: """
      The device that `pad.device: auto` selects is marked with an asterisk. With --udev, prints a udev rule that gives the \
      device the stable name /dev/input/grampad, restricts access to the service, and keeps the desktop from using it as a \
      pointer. For a converter the rule sets its rate and gain, which the service cannot. Save the rule as \(UdevRule.file). \
      Keyboards that can be used as scanners are listed as such.

      For each pad it says whether it measures force, or reports the contact area as pressure as capacitive touchpads do, and how \
      that is known; auto prefers force.

      The exit code is 66 if there are no devices at all, and 77 if the permission to look for them is missing.

      Examples:
        grampad devices
        grampad devices --json
        grampad devices --udev /dev/input/event5
        grampad devices --udev hx711
        grampad devices --udev nau7802 --rate 80 --gain 128
      """)

  @Flag(help: "Print a JSON array.")
  var json = false
  @Option(help: "Print the udev rule that makes this device, a path or a name, the pad.", completion: .device)
  var udev: String?
  @OptionGroup var converter: ConverterOptions

  func validate() throws { if json && udev != nil { throw ValidationError("--udev and --json cannot be combined.") } }

  func run() throws {
    let survey = DeviceSurvey.scan(known: KnownPad.all)
    let converters = ConverterList()
    if let udev {
      return try failing { try printAll(converters.rule(for: udev, converter) ?? rule(for: udev, in: survey)) }
    }
    let (chosen, reason) = choice(survey, converters)
    if !json { printMessage(reason) }
    let text = json ? list(survey, converters, chosen) : table(survey, converters, chosen)
    try failing { try printAll(text) }
    guard survey.entries.isEmpty, converters.lines.isEmpty else { return }
    throw ExitCode(survey.failure.map { Failure($0).code.rawValue } ?? Sysexit.noInput.rawValue)
  }

  /// The device that auto selects, if any, and why.
  private func choice(_ survey: DeviceSurvey, _ converters: ConverterList) -> (path: String?, reason: Sentence) {
    func chosen(_ path: String, _ reason: Sentence) -> (String?, Sentence) {
      (path, Sentence(.devicesAuto, ["path": path, "reason": reason]))
    }
    switch (survey.choose(.automatic), converters.choice) {
    case (.chosen(let entry, let because), _): return chosen(entry.path, because)
    case (.none, .chosen(let entry, let because)): return chosen(entry.path, because)
    case (.none(let reason), .none(let other)): return (nil, reason.and(other))
    case (.none(let reason), .absent):
      guard case .notFound(let folder) = survey.failure else { return (nil, reason) }
      return (nil, Sentence(.devicesNoFolder, ["folder": folder]))
    }
  }

  private func rule(for device: String, in survey: DeviceSurvey) throws -> String {
    let entry = try survey.device(called: device)
    let rule = try UdevRule(for: entry, in: survey)
    if entry.axis == nil, let reason = entry.reason {
      printMessage(.devicesNotYet, ["path": entry.path, "reason": reason])
    }
    return rule.text
  }

  private func table(_ survey: DeviceSurvey, _ converters: ConverterList, _ chosen: String?) -> String {
    guard !survey.entries.isEmpty || !converters.lines.isEmpty else { return "" }
    let texts = Texts.ofUser
    let rows = survey.entries.map { entry in
      let mark = entry.path == chosen ? "*" : " "
      let axis = entry.axis.map { "\($0.name) 0...\($0.fullScale.counts)" } ?? "-"
      return [
        mark, entry.path, (entry.description?.name ?? "-").escapedForTerminal,
        texts(entry.canWeigh ? .devicesYes : .devicesNo), axis, entry.reason.map { texts($0) } ?? "",
      ]
    }
    let heads: [TextKey] = [.devicesDevice, .devicesName, .devicesWeighs, .devicesAxis, .devicesWhyNot]
    let table = [[""] + heads.map { texts($0) }] + rows + converters.rows(chosen: chosen)
    var text = TextTable.text(table)
    for entry in survey.entries where !entry.links.isEmpty {
      let links = entry.links.joined(separator: ", ").escapedForTerminal
      text += "  " + texts(.devicesLinks, ["path": entry.path, "links": links]) + "\n"
    }
    for entry in survey.entries { text += measurement(of: entry) }
    for entry in survey.entries {
      guard let scale = entry.description?.recommendedScale else { continue }
      let (capacity, division) = (Int(scale.capacity.value), Int(scale.division.value))
      let setting = "scale: {capacity_g: \(capacity), division_g: \(division)}"
      text += "  " + texts(.devicesRecommended, ["path": entry.path, "setting": setting]) + "\n"
    }
    for entry in survey.entries where entry.canScan {
      text += "  " + texts(.devicesScanner, ["path": entry.path]) + "\n"
    }
    return text + converters.notes
  }

  /// The lines about what a device measures; none if that is not known.
  private func measurement(of entry: DeviceSurvey.Entry) -> String {
    let texts = Texts.ofUser
    guard let measurement = entry.measurement, let quantity = measurement.quantity.text else { return "" }
    let reason = measurement.reason.map { texts($0) } ?? "-"
    var lines = [texts(.devicesMeasures, ["path": entry.path, "quantity": texts(quantity), "reason": reason])]
    if measurement.quantity == .area { lines.append(texts(.devicesArea, ["path": entry.path])) }
    return lines.map { "  \($0)\n" }.joined()
  }

  private func list(_ survey: DeviceSurvey, _ converters: ConverterList, _ chosen: String?) -> String {
    let json = JSONWriter.array { json in
      for entry in survey.entries {
        json.object { write(entry, isChosen: entry.path == chosen, to: &$0) }
      }
      converters.write(chosen: chosen, to: &json)
    }
    return String(decoding: json, as: UTF8.self) + "\n"
  }

  private func write(_ entry: DeviceSurvey.Entry, isChosen: Bool, to json: inout JSONWriter) {
    json.fields(("kind", "input"), ("path", entry.path))
    json.array("links", entry.links) { json, link in json.string(link) }
    json.field("name", entry.description?.name)
    for (key, value) in [("bus", \PadIdentity.bus), ("vendor", \.vendor), ("product", \.product)] {
      json.field(key, entry.description.map { Int($0.id[keyPath: value]) })
    }
    json.fields(("can_weigh", entry.canWeigh), ("reason", entry.reason?.description))
    json.field("measures", (entry.measurement?.quantity ?? .unknown).rawValue)
    json.field("measures_reason", entry.measurement?.reason?.description)
    json.fields(("can_scan", entry.canScan), ("scan_reason", entry.scanObstacle?.description))
    json.object("axis", entry.axis) { json, axis in
      json.field("name", axis.name)
      json.array("names", axis.codes) { json, code in json.string(code.name) }
      json.field("minimum", Int(axis.range.minimum))
      json.field("maximum", Int(axis.range.maximum))
      json.field("units_per_gram", axis.countsPerGram ?? 0)
    }
    json.object("recommended_scale", entry.description?.recommendedScale) { json, scale in
      json.fields(("capacity_g", scale.capacity.value), ("division_g", scale.division.value))
    }
    json.field("chosen", isChosen)
  }
}

extension DeviceSurvey.Entry {
  /// Why it cannot be a scanner; `nil` if it can.
  fileprivate var scanObstacle: Sentence? {
    switch finding {
    case .unreadable(let error): error.reason
    case .weighs(let device, _), .doubtful(let device, _, _), .unsuitable(let device, _): device.scanObstacle
    }
  }

  fileprivate var canScan: Bool { scanObstacle == nil }

  /// Whether `pad.device: auto` may select it.
  fileprivate var canWeigh: Bool {
    switch finding {
    case .weighs: true
    case .doubtful, .unsuitable, .unreadable: false
    }
  }
}
