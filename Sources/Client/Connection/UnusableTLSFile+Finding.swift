import Configuration
import MQTTLink

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
