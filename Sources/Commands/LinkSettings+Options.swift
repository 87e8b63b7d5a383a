import Client
import Configuration
import Messages

extension LinkSettings {
  /// Those of a configuration, with its password.
  ///
  /// - Parameters:
  ///   - brokers: In place of the configured ones.
  ///   - folder: The base folder for relative paths.
  package init(
    _ mqtt: Configuration.MQTT, brokers: [BrokerAddress]? = nil, folder: String, clientID: String
  ) throws(Failure) {
    do throws(PasswordError) {
      self = try mqtt.linkSettings(brokers ?? mqtt.addresses, clientID: clientID, folder: folder)
    } catch {
      throw Failure(ClientError.password(error))
    }
  }
}
