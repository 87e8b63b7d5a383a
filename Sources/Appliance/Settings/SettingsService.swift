import Configuration
import Linux
import Servers
import Synchronization

/// The settings that users change in the page. A change is written to the settings file and applied like a saved
/// configuration file.
final class SettingsService: Sendable {
  private let file: Mutex<ConfigurationFile>
  private let running: Configuration
  private let path: String
  private let reloads: ReloadRequests
  /// Reading and writing files may block.
  private let worker = Worker<@Sendable () -> Void>("settings")

  /// - Parameter file: The files, as the appliance started with them.
  init(file: ConfigurationFile, reloads: ReloadRequests) {
    self.file = Mutex(file)
    self.reloads = reloads
    running = file.current
    path = file.settingsPath
  }

  deinit { worker.stop() }

  /// Starts the thread and returns what the page can ask for; call it once.
  func start() -> SettingsSource {
    worker.startPerforming()
    return SettingsSource(state: { [self] in state($0) }, change: { [self] in change($0, $1) })
  }

  /// Where accepted calibrations are stored: in the section `calibration` of the settings file.
  var calibrationStore: CalibrationStore {
    CalibrationStore(location: path) { [self] new, completion in
      let replacement = { @Sendable (file: inout ConfigurationFile) throws(SettingsError) in
        let old = file.settingsCalibration
        try file.changeCalibration(new)
        return old
      }
      update(replacement, completion)
    }
  }

  private func state(_ completion: @escaping Completion<SettingsAnswer>) {
    worker.send { [self] in completion(currentState()) }
  }

  private func currentState() -> SettingsAnswer {
    file.withLock { file in
      if case .failure(let error) = file.reload() { return .unavailable(error.sentence) }
      return .state(file.settingsState(startedWith: running))
    }
  }

  private func change(_ payload: [UInt8], _ completion: @escaping Completion<SettingsAnswer>) {
    let request: SettingsRequest
    do throws(SettingsRequestError) {
      request = try SettingsRequest(payload)
    } catch {
      return completion(.badPayload(error.sentence))
    }
    let change = { @Sendable (file: inout ConfigurationFile) throws(SettingsError) in
      switch request.content {
      case .change(let change): try file.changeSettings(change, basedOn: request.revision)
      case .undo: try file.undoSettings(basedOn: request.revision)
      }
    }
    update(change) { [self] result in
      switch result {
      case .success: state(completion)
      case .failure(let error): completion(SettingsAnswer(error))
      }
    }
  }

  /// Changes the files and applies them.
  private func update<Answer: Sendable>(
    _ change: @escaping @Sendable (inout ConfigurationFile) throws(SettingsError) -> Answer,
    _ completion: @escaping Completion<Result<Answer, SettingsError>>
  ) {
    worker.send { [self] in
      do throws(SettingsError) {
        let answer = try file.withLock { file throws(SettingsError) in try change(&file) }
        reloads.reload { completion(.success(answer)) }
      } catch {
        completion(.failure(error))
      }
    }
  }
}

extension SettingsAnswer {
  fileprivate init(_ error: SettingsError) {
    switch error {
    case .conflict: self = .refused(reason: "conflict", detail: error.sentence)
    case .nothingToUndo: self = .refused(reason: "nothing_to_undo", detail: error.sentence)
    case .invalid(let diagnostics):
      self = .invalid(
        diagnostics.map { SettingsFault(path: $0.keyPath, message: $0.requirement) })
    case .notWritable: self = .notSaved(error.sentence)
    case .configuration: self = .unavailable(error.sentence)
    }
  }
}
