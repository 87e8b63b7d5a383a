import Messages
import Weighing

extension Configuration: ConfigurationSection {
  static var keys: [Key<Configuration>] {
    Key("device", \.device, "Identity of the appliance.")
    Key("pad", \.pad, "The input device and how it is used.")
    Key("scale", \.scale, "Properties of the scale.")
    Key("calibration", \.calibration, settings: .calibration, "Conversion of counts to grams.")
    Key("stability", \.stability, "Stability detection.")
    Key("confirm", \.confirm, "Confirm by force.")
    Key(
      "buttons", \.buttons, .buttons, example: ButtonBinding.examples,
      "Keys and GPIO buttons that trigger an action. device: as for pad, optional; auto stands for every device that has "
        + "the key. key: the kernel's name of the key. action: as for zones.")
    Key(
      "actions", \.actions, .quickActions, example: [.example],
      settings: .page(.pageQuickActions, in: .actions),
      "Quick actions, for example to label frequent weighings. type: 1 to 64 letters, digits, _ and -. title, subtitle, "
        + "icon: up to 128 bytes each. run: \(Action.list) (default: commit). "
        + "user_info: up to 16 parameters, each a string of up to 256 bytes, a number or a boolean; commit, "
        + "relabel, target and dose use the parameter label, the other actions their own (tare: tare_g or container; target: target_g, tolerance_g, "
        + "stop_ahead; count: pieces or piece_g, piece_spread; container: name, remove; dose: output, target_g, tolerance_g). tare, clear_tare and zero also set a target "
        + "if target_g is given.")
    Key("timer", \.timer, "Timer.")
    Key("target", \.target, "Stopping ahead of targets.")
    Key(
      "outputs", \.outputs, .outputs, example: OutputSwitch.example.map { [$0] },
      "Plugs and valves that doses switch over the broker. name: letters, digits, _ and -. topic: the topic of the plug's "
        + "commands, outside mqtt.prefix and home_assistant.prefix. on, off: the payloads, \(OutputSwitch.usualOn) and "
        + "\(OutputSwitch.usualOff) by default. max_flow_g_s: a faster flow ends a dose; "
        + "\(numberText(Output.usualMaximumFlow)) by default. Set a time limit in the plug as well.")
    Key(
      "containers", \.containers, .containers, example: Container.example.map { [$0] },
      settings: .page(.pageContainers, in: .containers),
      "Containers whose mass is known, for tare by name. More can be stored at run time. name: one line of 1 to "
        + "\(ContainerName.maximumBytes) bytes. tare_g: mass of the empty container in grams, at most the capacity.")
    Key(
      "containers_auto", \.containersAuto, .flag, settings: .page(.settingsAutoTare, in: .containers),
      "Tare a known container when it is put on the empty scale: its mass differs from the known one by at most one "
        + "division or twice the uncertainty of the reading, and no other container fits.")
    Key(
      "scanners", \.scanners, .scanners, example: [.example],
      "Barcode and RFID readers that type like a keyboard. Each is read by Grampad alone: its keys reach no other program. "
        + "device: as for pad, without auto. layout: the keyboard layout that the scanner types in, us by default.")
    Key(
      "codes", \.scanning.codes, .codes, example: CodeMeaning.example.map { [$0] },
      "What codes stand for; the code of any other is the label of the next weighing. label: the label instead of the "
        + "code. container: the container whose tare is set. target_g: the target that is set. A code without label "
        + "leaves the label that waits.")
    Key(
      "scan_hold_s", \.scanning.hold, .seconds(1...86_400),
      "How long the label of a code waits for the next weighing, in seconds.")
    Key(
      "scan_commit", \.scanning.commits, .flag,
      "Record a load at rest with the label of a code as soon as the code is read. Without one the label waits.")
    Key("history", \.history, "Scrubbing through the recorded weighings, in the zone history.")
    Key("mqtt", \.mqtt, "MQTT connection.")
    Key("publish", \.publish, "Publishing rates.")
    Key("home_assistant", \.homeAssistant, "Home Assistant discovery.")
    Key("journal", \.journal, "The record of weighings.")
    Key("dashboard", \.dashboard, "Web page.")
    Key("metrics", \.metrics, "Metrics, on the port of the web page.")
    Key("sics", \.sics, "MT-SICS, the protocol of laboratory balances; off unless listen or pty is set.")
    Key("keyboard", \.keyboard, "Typing each weighing as a keyboard; off by default.")
  }

  /// Every key of every section, with the section in its name.
  static var allKeys: [Key<Configuration>] { keys.flatMap { $0.isSection ? $0.keys() : [$0] } }

  /// Every key, and every whole section, that may be set elsewhere than in the configuration file.
  static var settableKeys: [Key<Configuration>] {
    keys.flatMap { key in
      (key.isSection && key.settings == .file ? key.keys() : [key]).filter { $0.settings != .file }
    }
  }
}

extension Configuration {
  /// The names of the keys that differ from an older configuration and take effect at the next start only.
  package func keysNeedingRestart(from old: Configuration) -> [String] {
    Self.allKeys.filter { $0.needsRestart(old, self) }.map(\.name)
  }

  /// This configuration with the values of an older one for the keys that take effect at the next start only.
  package func keepingKeysThatNeedRestart(of old: Configuration) -> Configuration {
    Self.allKeys.reduce(into: self) { new, key in
      if key.needsRestart(old, new) { key.copy(old, &new) }
    }
  }
}

extension Configuration {
  /// The configuration with absolute paths, for opening the files.
  ///
  /// Relative paths start from the folder of the configuration. The journal is data, so a relative `journal.path` starts
  /// from the state folder, which under systemd is not that of the configuration (`StateDirectory=`, passed as
  /// STATE_DIRECTORY). Likewise a relative `sics.pty` starts from the runtime folder (`RuntimeDirectory=`).
  ///
  /// - Parameters:
  ///   - folder: The folder of the configuration file, or the working directory without a file.
  ///   - stateFolder: The folder for data; default: `folder`.
  ///   - runtimeFolder: The folder for what exists only while the service runs; default: `folder`.
  package func resolvingPaths(
    in folder: String, stateFolder: String? = nil, runtimeFolder: String? = nil
  ) -> Configuration {
    Self.allKeys.reduce(into: self) { resolved, key in
      guard let file = key.file else { return }
      let base =
        switch file {
        case .data: stateFolder
        case .runtime: runtimeFolder
        case .optional, .required, .secret: String?.none
        }
      key.resolvePath(&resolved, base ?? folder)
    }
  }

  /// The files that the configuration names, with their keys.
  var files: [(key: String, path: String, use: FileUse)] {
    Self.allKeys.compactMap { key in
      guard let use = key.file, case .text(let path) = key.output(self) else { return nil }
      return (key.name, path, use)
    }
  }

  /// The paths of the files with secrets, as in the configuration.
  package var secretFiles: [String] { files.filter { $0.use == .secret }.map(\.path) }

  /// The paths of the files with secrets or certificates, as in the configuration.
  package var requiredFiles: [String] { files.filter { $0.use == .required || $0.use == .secret }.map(\.path) }
}
