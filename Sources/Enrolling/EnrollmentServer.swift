import Linux
import Logging
import MQTTLink
import Messages
import Synchronization

/// Answers the certificate requests of devices, next to the certificate authority.
///
/// Decides nothing: the access list of the broker decides who may ask for which id, and the signer, `grampad-broker`, whether
/// a code is valid. Requests are answered one at a time. A request that is lost, for example when this process is killed, is
/// sent again by its device, and gets the same answer.
package final class EnrollmentServer: Sendable {
  /// A request of a device.
  package struct Request: Hashable, Sendable {
    /// What the device asks for.
    package enum Kind: String, Hashable, Sendable {
      /// A certificate, with a one-time code.
      case code
      /// Another certificate, with the present one.
      case renewal
      /// Nothing: the certificate is in use, and the code can be removed.
      case installed
    }

    /// The `device.id`.
    package let id: String
    /// What the device asks for.
    package let kind: Kind
    /// The certificate request, in PEM format.
    package let payload: [UInt8]

    /// Parses a message; `nil` for any other topic, for a retained message and for one that is too large.
    package init?(_ message: IncomingMessage) {
      let levels = message.topic.split(separator: "/", omittingEmptySubsequences: false)
      guard levels.count == 3, levels[0] == "enroll", EnrollmentTopics.isID(levels[1]),
        let kind = Kind(rawValue: String(levels[2])), !message.isRetained,
        message.payload.count <= EnrollmentServer.maximumBytes
      else { return nil }
      self.kind = kind
      id = String(levels[1])
      payload = message.payload
    }
  }

  /// Signs requests and keeps the codes.
  package protocol Signer: Sendable {
    /// The answer to a request: JSON as in `CertificateAnswer`, or the reason for a refusal.
    func answer(_ request: Request) throws(Refusal) -> [UInt8]
    /// Removes the code of a device if it has been used.
    func removeUsedCode(of id: String)
  }

  /// Why a request was refused.
  package struct Refusal: Error, Hashable, Sendable {
    /// The reason, for the device.
    package let reason: String

    /// Makes a refusal.
    package init(reason: String) { self.reason = reason }
  }

  /// Maximum size of a request in bytes; one for a P-256 key has 0.4 KB.
  static let maximumBytes = 4096
  /// Maximum number of devices whose requests wait; a device whose request is dropped sends it again.
  private static let capacity = 1000

  private let settings: LinkSettings
  private let signer: any Signer
  private let logger: Logger
  /// At most one for each device and kind, so that a device that floods the server does not hold up others.
  private let requests = Mutex<[Request]>([])
  private let wake = Signal()
  private let stopped = Signal()

  /// Makes a server; it does nothing until `run`.
  package init(settings: LinkSettings, signer: any Signer, logger: Logger) {
    var settings = settings
    // Larger packets are dropped by the broker (MQTT 5).
    settings.maximumPacketSize = UInt32(4 * Self.maximumBytes)
    (self.settings, self.signer, self.logger) = (settings, signer, logger)
  }

  /// Answers requests until `stop`; blocks the calling thread.
  package func run() {
    let link = MQTTLink(settings: settings, logger: logger) { [self] event in handle(event) }
    link.subscribe(["enroll/+/code", "enroll/+/renewal", "enroll/+/installed"])
    link.start()
    while true {
      // Lowered first: `stop` raises both, and the wait would not see the one that was raised before.
      wake.lower()
      if stopped.wait(milliseconds: 0) { break }
      guard let request = requests.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
        _ = wake.wait(milliseconds: -1)
        continue
      }
      switch request.kind {
      case .code, .renewal: link.publish(answer(request))
      case .installed: signer.removeUsedCode(of: request.id)
      }
    }
    // Sends what is queued.
    link.stop(within: .seconds(1))
  }

  /// Ends `run`.
  package func stop() {
    stopped.raise()
    wake.raise()
  }

  private func answer(_ request: Request) -> Message {
    let payload: [UInt8]
    do throws(Refusal) {
      payload = try signer.answer(request)
      logger.info("issued a certificate", metadata: ["device.id": "\(request.id)", "enroll.kind": "\(request.kind)"])
    } catch {
      payload = JSONWriter.object { $0.field("error", error.reason) }
      logger.warning(
        "refused a request for a certificate",
        metadata: ["device.id": "\(request.id)", "enroll.kind": "\(request.kind)", "enroll.reason": "\(error.reason)"])
    }
    let topic = EnrollmentTopics.answer(request.id, to: request.payload)
    return Message(topic: topic, payload: payload, delivery: .assured)
  }

  /// Called on the thread of the link.
  private func handle(_ event: LinkEvent) {
    switch event {
    case .subscribed(let filter):
      logger.info("ready", metadata: ["mqtt.filter": "\(filter)"])
    case .message(let message):
      guard let request = Request(message) else {
        logger.warning("ignored an invalid request", metadata: ["mqtt.topic": "\(message.topic)"])
        return
      }
      requests.withLock { requests in
        if let index = requests.firstIndex(where: { $0.id == request.id && $0.kind == request.kind }) {
          requests[index] = request
        } else if requests.count < Self.capacity {
          requests.append(request)
        }
      }
      wake.raise()
    case .disconnected(let broker, let reason), .refused(let broker, let reason):
      logger.warning("not connected", metadata: ["broker.address": "\(broker)", "broker.reason": "\(reason)"])
    case .connected, .dropped, .urgent, .acknowledged: break
    }
  }
}
