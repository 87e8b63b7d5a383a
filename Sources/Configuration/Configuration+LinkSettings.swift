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

  /// The files of a connection with TLS.
  package var tlsSettings: TLSSettings {
    TLSSettings(caFile: caFile, certificateFile: certificateFile, keyFile: keyFile)
  }
}
