import Messages

/// A message of an appliance that the collector stores.
package enum CollectedMessage: Hashable, Sendable {
  /// A weighing, void or relabel.
  case weighing(CollectedRecord)
  /// The health of a device.
  case health(device: String, CollectedHealth)
  /// The answer to `command/resend`.
  case resent(device: String, ResendReport)

  /// Parses a message; `nil` for any other topic.
  ///
  /// - Parameter prefix: The common prefix of all appliances, `mqtt.prefix`.
  /// - Throws: `CollectedMessageError` for a payload that cannot be stored.
  package init?(_ message: IncomingMessage, prefix: String) throws(CollectedMessageError) {
    let levels = message.topic.utf8.dropFirst(prefix.utf8.count + 1)
    guard message.topic.utf8.starts(with: (prefix + "/").utf8), let slash = levels.firstIndex(of: UInt8(ascii: "/")),
      let device = String(levels[..<slash]), let topic = String(levels[levels.index(after: slash)...])
    else { return nil }
    guard device.utf8.count <= Self.maximumDeviceBytes else {
      throw CollectedMessageError(
        device: String(decoding: device.utf8.prefix(64), as: UTF8.self),
        detail: "device.id is longer than \(Self.maximumDeviceBytes) bytes")
    }
    switch topic {
    case "weighing":
      self = .weighing(try CollectedRecord(device: device, payload: message.payload))
    case "health":
      do throws(JSONError) {
        self = .health(device: device, try CollectedHealth(message.payload, isRetained: message.isRetained))
      } catch .tooLarge {
        throw CollectedMessageError(device: device, detail: "health is larger than \(Self.maximumBytes) bytes")
      } catch {
        throw CollectedMessageError(device: device, detail: "health is not a JSON object")
      }
    case _ where topic == "result" || topic.hasPrefix("result/"):
      guard let report = ResendReport(message.payload) else { return nil }
      self = .resent(device: device, report)
    default: return nil
    }
  }

  /// The maximum size of a payload: more than the answer that names 10,000 missing records.
  static let maximumBytes = 128 * 1024
  /// The maximum size of a `device.id`; that of an appliance has at most 64. It is a key of an index, which takes 2,704.
  private static let maximumDeviceBytes = 1024
}

/// A payload that cannot be stored.
package struct CollectedMessageError: Error, Hashable, Sendable {
  /// The device of the topic.
  package let device: String
  /// What is wrong with the payload.
  package let detail: String
}
