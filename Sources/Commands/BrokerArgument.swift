import ArgumentParser
import Configuration
import Messages

/// The value of `--broker`.
package enum BrokerArgument {
  /// Parses the URL of a broker; throws a `ValidationError` if it is invalid.
  package static func address(_ url: String) throws -> BrokerAddress {
    do throws(BrokerAddressError) {
      return try BrokerAddress(url: url)
    } catch {
      throw ValidationError("--broker: \(error.explanation)")
    }
  }
}
