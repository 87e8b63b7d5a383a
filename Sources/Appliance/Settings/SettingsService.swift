import Configuration
import Dashboard
import Dispatch
import Messages
import Synchronization

/// The settings that users change in the page. A change is written to the settings file and applied like a saved
/// configuration file.
final class SettingsService: Sendable {
  private let file: Mutex<ConfigurationFile>
  private let running: Configuration
  private let path: String
  private let reloads: ReloadRequests
  /// Reading and writing files may block.
  private let queue = DispatchQueue(label: "grampad.settings")

  /// - Parameter file: The files, as the appliance started with them.
  init(file: ConfigurationFile, reloads: ReloadRequests) {
    self.file = Mutex(file)
    self.reloads = reloads
    running = file.current
    path = file.settingsPath
  }

  /// What the dashboard needs.
  var source: SettingsSource {
    SettingsSource(state: { [self] in await state() }, change: { [self] in await change($0) })
  }

  /// Where accepted calibrations are stored: in the section `calibration` of the settings file.
  var calibrationStore: CalibrationStore {
    CalibrationStore(location: path) { [self] (new) throws(SettingsError) in
      try await update { (file) throws(SettingsError) in
        let old = file.settingsCalibration
        try file.changeCalibration(new)
        return old
      }
    }
  }

  private func state() async -> SettingsAnswer {
    await onQueue { [self] in
      file.withLock { file in
        if case .failure(let error) = file.reload() { return .unavailable(error.description) }
        return .state(file.settingsState(startedWith: running))
      }
    }
  }

  private func change(_ payload: [UInt8]) async -> SettingsAnswer {
    let request: SettingsRequest
    do throws(SettingsRequestError) {
      request = try SettingsRequest(payload)
    } catch {
      return .badPayload(error.detail)
    }
    do throws(SettingsError) {
      try await update { (file) throws(SettingsError) in
        switch request.content {
        case .change(let change): try file.changeSettings(change, basedOn: request.revision)
        case .undo: try file.undoSettings(basedOn: request.revision)
        }
      }
    } catch {
      return SettingsAnswer(error)
    }
    return await state()
  }

  /// Changes the files and applies them.
  private func update<Answer: Sendable>(
    _ change: @escaping @Sendable (inout ConfigurationFile) throws(SettingsError) -> Answer
  ) async throws(SettingsError) -> Answer {
    let result = await onQueue { [self] in
      file.withLock { file in
        Result { () throws(SettingsError) in try change(&file) }
      }
    }
    let answer = try result.get()
    await reloads.reload()
    return answer
  }

  private func onQueue<Answer: Sendable>(_ work: @escaping @Sendable () -> Answer) async -> Answer {
    await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: work()) } }
  }
}

extension SettingsAnswer {
  fileprivate init(_ error: SettingsError) {
    switch error {
    case .conflict: self = .refused(reason: "conflict", detail: error.description)
    case .nothingToUndo: self = .refused(reason: "nothing_to_undo", detail: error.description)
    case .invalid(let diagnostics):
      self = .invalid(
        diagnostics.map { SettingsFault(path: $0.keyPath, message: $0.requirement) })
    case .notWritable: self = .notSaved(error.description)
    case .configuration: self = .unavailable(error.description)
    }
  }
}
