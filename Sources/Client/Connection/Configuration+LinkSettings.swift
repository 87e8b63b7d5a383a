import Configuration
import MQTTLink
import Messages

extension Configuration.MQTT {
  /// The settings of a connection to these brokers: version, credentials and TLS as configured.
  ///
  /// - Parameter folder: The base folder for a relative path of the password file.
  /// - Throws: `PasswordError`.
  package func linkSettings(
    _ brokers: [BrokerAddress], clientID: String, folder: String
  ) throws(PasswordError) -> LinkSettings {
    let password = try password(folder: folder)
    return LinkSettings(
      brokers: brokers, clientID: clientID, version: version == .five ? .v5 : .v311,
      credentials: username.map { Credentials(username: $0, password: password) }, tls: tlsSettings)
  }

  /// The brokers as other programs on this machine reach them; empty for an embedded broker on any free port.
  package var addresses: [BrokerAddress] {
    switch broker {
    case .external(let addresses): addresses
    case .embedded:
      UInt16(exactly: embeddedPort).map { $0 == 0 ? [] : [BrokerAddress(host: "127.0.0.1", port: $0)] } ?? []
    }
  }

  fileprivate var tlsSettings: TLSSettings {
    TLSSettings(caFile: caFile, certificateFile: certificateFile, keyFile: keyFile)
  }
}

extension Configuration.UnusableTLSFile {
  /// Why the certificate and key files cannot be used; `nil` if they can. For `ConfigurationFile`.
  ///
  /// - Parameter section: With absolute paths.
  @Sendable package static func find(in section: Configuration.MQTT) -> Configuration.UnusableTLSFile? {
    do throws(TLSFileError) {
      try section.tlsSettings.check()
      return nil
    } catch {
      let key =
        switch error.role {
        case .authority: "ca_file"
        case .certificate: "certificate_file"
        case .key: "key_file"
        }
      return Configuration.UnusableTLSFile(key: key, reason: error.reason)
    }
  }
}
