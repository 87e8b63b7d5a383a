import Weighing

/// The settings that users change in the page.
package struct SettingsSource: Sendable {
  /// The settings in force.
  package var state: @Sendable (@escaping Completion<SettingsAnswer>) -> Void
  /// Changes settings as a payload asks, and passes on those in force then.
  package var change: @Sendable ([UInt8], @escaping Completion<SettingsAnswer>) -> Void

  /// Makes a source.
  package init(
    state: @escaping @Sendable (@escaping Completion<SettingsAnswer>) -> Void,
    change: @escaping @Sendable ([UInt8], @escaping Completion<SettingsAnswer>) -> Void
  ) {
    (self.state, self.change) = (state, change)
  }
}

/// An invalid value in a change of settings.
package struct SettingsFault: Hashable, Sendable {
  /// The key, with the item or field of a list: `containers[1].tare_g`.
  package var path: String
  /// What is wrong, and a suggestion.
  package var message: Sentence

  /// Makes a fault.
  package init(path: String, message: Sentence) { (self.path, self.message) = (path, message) }
}

/// An answer to a request for the settings or for their change.
package enum SettingsAnswer: Hashable, Sendable {
  /// The settings in force, as JSON.
  case state([UInt8])
  /// The payload is not a request for a change.
  case badPayload(Sentence)
  /// Values are invalid; nothing was changed.
  case invalid([SettingsFault])
  /// The change is not possible at present; nothing was changed.
  case refused(reason: String, detail: Sentence)
  /// The settings file cannot be written; nothing was changed.
  case notSaved(Sentence)
  /// The configuration file is invalid at present.
  case unavailable(Sentence)
}
