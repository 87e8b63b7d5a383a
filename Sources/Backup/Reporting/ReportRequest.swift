import Client
import Configuration
import EvdevInput
import Foundation
import IIOInput
import Journal
import Linux
import Logging
import Messages
import Recordings
import Weighing

/// The content of a report; collects it.
package struct ReportRequest {
  /// The configuration file, if there is one.
  package var configuration: String?
  /// Files to include, without secrets.
  package var attachments: [String] = []
  /// The recording of the pad, if requested.
  package var recording: Result<[UInt8], BackupError>?

  /// The diagnosis of the pad, or why there is none.
  package var diagnosis: Result<String, BackupError>?

  /// Makes a request without attachments and recording.
  package init() {}

  /// The configured pad; the default if the configuration cannot be read.
  package var pad: Configuration.Pad {
    guard let configuration, let file = try? ConfigurationFile(unchecked: configuration) else {
      return Configuration.Pad()
    }
    return file.current.pad
  }

  /// Collects the report as far as possible; takes a few seconds if the appliance or the broker does not respond.
  package func report(logger: Logger) -> Report {
    var report = Report()
    SystemDescription.add(to: &report)
    let (settings, folder) = addConfiguration(to: &report)
    let survey = DeviceSurvey.scan(known: KnownPad.all)
    Self.add(survey, to: &report)
    let known = settings ?? Configuration()
    addJournal(known, folder, logger, to: &report)
    addHealth(known, folder, logger, to: &report)
    let service = ServiceState.add(to: &report)
    let secrets = KnownSecrets(settings, folder: folder, service: service)
    ServiceState.addLog(unsearchable: secrets.unread, to: &report)
    switch diagnosis {
    case .success(let text)?:
      report.add("diagnosis.txt", "what the pad delivers: rate, gaps, noise, range, drift", text)
    case .failure(let error)?:
      report.omit("the diagnosis of the pad", "\(error.description); health.json shows what the appliance has measured")
    case nil: break
    }
    switch recording {
    case .success(let bytes)?: report.add("recording.evemu", "a recording of the pad", bytes)
    case .failure(let error)?: report.omit("the recording", error.description)
    case nil: break
    }
    for (number, path) in attachments.enumerated() {
      report.add("attached-\(number + 1)-\(Self.plain(path))", "attached, \(path)") { () throws(BackupError) in
        try Self.attachment(path)
      }
    }
    report.redact(Redaction(secrets.values + Self.serialNumbers(survey, settings)))
    return report
  }

  private func addConfiguration(to report: inout Report) -> (Configuration?, folder: String) {
    guard let path = configuration else {
      report.omit("the configuration", "not found; specify it with --config")
      return (Configuration(), FileManager.default.currentDirectoryPath)
    }
    let absolute = absolutePath(path, in: FileManager.default.currentDirectoryPath)
    let folder = parentFolder(of: absolute)
    do throws(ConfigurationError) {
      // The files that it refers to are not checked: the user may not be permitted to read them.
      let file = try ConfigurationFile(unchecked: path)
      let settings = file.current
      report.add(
        "configuration.yaml", "the configuration with all defaults, without private values", settings.shareableYAML)
      if !file.settingsKeys.isEmpty {
        report.add(
          "settings.txt", "the file with the settings of the page, and the keys that it sets",
          ([file.settingsPath] + file.settingsKeys).map { "\($0)\n" }.joined())
      }
      return (settings, folder)
    } catch {
      report.add("configuration-faults.txt", "the errors in the configuration", error.description + "\n")
      return (nil, folder)
    }
  }

  private static func add(_ survey: DeviceSurvey, to report: inout Report) {
    var table = survey.failure.map { "\($0)\n" } ?? ""
    var chosen: String?
    if case .chosen(let entry, let because) = survey.choose(.automatic) {
      chosen = entry.path
      table += "auto selects \(entry.path): \(because)\n"
    }
    for entry in survey.entries {
      let name = entry.description.map { "\"\(printable($0.name, limit: 200))\"" } ?? "-"
      let axis = entry.axis.map { "\($0.name) \($0.range.minimum)...\($0.range.maximum)" } ?? "no load axis"
      let measures = (entry.measurement?.quantity ?? .unknown).rawValue
      table += "\(entry.path)\t\(name)\t\(axis)\t\(measures)\t\(entry.reason?.description ?? "weighs")\n"
    }
    for entry in ConverterSurvey.scan().entries {
      let name = printable(entry.name, limit: 200)
      let channels = entry.channels.joined(separator: " ")
      table += "\(entry.path)\t\"\(name)\"\t\(channels)\t\(entry.unsuitability("voltage0")?.description ?? "weighs")\n"
    }
    report.add(
      "devices.txt", "the input devices and converters and whether they can weigh", table.isEmpty ? "none\n" : table)
    let drafts = survey.entries.compactMap { KnownPadDraft($0)?.text }
    if !drafts.isEmpty {
      report.add(
        "known-pads.yaml", "the pads as entries for the list of known pads, to be completed",
        drafts.joined(separator: "\n"))
    }
    for entry in survey.entries {
      // Also pads whose range is empty: they cannot weigh until it is corrected.
      guard let description = entry.description, entry.axis != nil || description.hasPressure else { continue }
      var text: [UInt8] = []
      EvemuWriter().append(description, to: &text)
      let node = entry.path.split(separator: "/").last.map(String.init) ?? "device"
      let mark = entry.path == chosen ? ", selected by auto" : ""
      report.add("device-\(plain(node)).evemu", "the description of \(entry.path)\(mark)", text)
    }
  }

  private func addJournal(_ settings: Configuration, _ folder: String, _ logger: Logger, to report: inout Report) {
    let path = settings.journalPath(in: folder)
    let journal = Journal.reader(path: path, logger: logger)
    report.add("journal.json", "the number of weighings and the result of the journal verification") {
      () throws(BackupError) in
      do throws(JournalError) {
        let verification = try journal.verify()
        let extent = try? journal.extent()
        return JSONWriter.object { json in
          json.field("path", path)
          if let extent { json.fields(of: extent) }
          json.field("audit_entries", verification.audits)
          json.array("faults", verification.faults.prefix(100)) { json, fault in json.string(fault.description) }
        } + [UInt8(ascii: "\n")]
      } catch {
        throw .journal(error)
      }
    }
  }

  private func addHealth(_ settings: Configuration, _ folder: String, _ logger: Logger, to report: inout Report) {
    if let dashboard = DashboardClient(settings.dashboard) {
      for (path, name) in [("/healthz", "healthz.json"), ("/metrics", "metrics.txt")] {
        report.add(name, "\(path) of the dashboard") { () throws(BackupError) in
          do throws(DashboardClientError) {
            return try dashboard.send(path, within: .seconds(2)).body
          } catch {
            throw .program(error.name, "\(error.reason)")
          }
        }
      }
    } else {
      report.omit("/healthz and /metrics", "the dashboard is disabled or has no fixed port")
    }
    report.add("health.json", "the last health message of the appliance, from the broker") {
      () throws(BackupError) in
      do throws(ClientError) {
        return try RetainedQuery.run(.health, of: settings, folder: folder, patience: .seconds(3), logger: logger)
      } catch {
        throw .program("mqtt", error.description)
      }
    }
  }

  private static func attachment(_ path: String) throws(BackupError) -> [UInt8] {
    let file = try OpenFile(reading: path)
    var bytes: [UInt8] = []
    while true {
      let piece = try file.read(atMost: 1 << 16)
      if piece.isEmpty { return bytes }
      bytes += piece
      guard bytes.count <= 1 << 24 else { throw .program(path, "larger than 16 MiB") }
    }
  }

  /// Identifiers of individual devices: serial numbers, and the names that udev derives from them.
  private static func serialNumbers(_ survey: DeviceSurvey, _ settings: Configuration?) -> [String] {
    var paths = survey.entries.flatMap(\.links)
    if case .input(.path(let path))? = settings?.pad.device { paths.append(path) }
    for button in settings?.buttons ?? [] { if case .path(let path) = button.device { paths.append(path) } }
    return survey.entries.compactMap(\.description?.unique)
      + paths.filter { $0.contains("/by-id/") }.compactMap { $0.split(separator: "/").last.map(String.init) }
  }

  /// The last component of a path, as a portable file name.
  private static func plain(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? "file"
    let bytes = name.utf8.map { isWordByte($0) || $0 == UInt8(ascii: ".") ? $0 : UInt8(ascii: "-") }
    return String(decoding: bytes.suffix(60), as: UTF8.self)
  }
}

extension Configuration {
  /// The resolved configuration without private values: the user name for the broker and the user_info of quick actions.
  var shareableYAML: String {
    var settings = self
    if settings.mqtt.username != nil { settings.mqtt.username = Redaction.mark }
    for action in settings.actions.indices {
      for index in settings.actions[action].userInfo.indices {
        settings.actions[action].userInfo[index].value = .text(Redaction.mark)
      }
    }
    return settings.resolvedYAML()
  }
}
