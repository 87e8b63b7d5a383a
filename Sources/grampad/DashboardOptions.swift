import ArgumentParser
import Client
import Commands
import Configuration
import Foundation
import Languages
import Linux
import Messages
import Weighing

/// The dashboard of a running appliance.
struct DashboardOptions: ParsableArguments {
  @OptionGroup var connection: ConnectionOptions
  @Option(
    help: """
      The dashboard of a running appliance, http://HOST:PORT. Default: with --broker or --device, that of this appliance, which its \
      broker knows; otherwise the configured one, on this machine.
      """)
  var appliance: String?
  @Option(
    help:
      "The file with the token of that dashboard. Default: $GRAMPAD_DASHBOARD_TOKEN, and on this machine the configured one.",
    completion: .file())
  var tokenFile: String?
  @OptionGroup var log: LogOptions

  /// Whether the options name a running appliance.
  var isGiven: Bool { appliance != nil || connection.isGiven }

  func validate() throws {
    guard let appliance else { return }
    if connection.isGiven { throw ValidationError("--appliance cannot be combined with --broker or --device.") }
    if DashboardClient(url: appliance, token: nil) == nil {
      throw ValidationError("--appliance must be a URL such as http://127.0.0.1:8385, not \(appliance).")
    }
  }

  /// The dashboard that the options name; `nil` without such an option.
  func given(_ file: ConfigurationFile?) throws -> DashboardClient? {
    if let appliance { return DashboardClient(url: appliance, token: try token(file)) }
    return connection.isGiven ? try dashboardOfBroker() : nil
  }

  /// The configured dashboard, on this machine; `nil` if it is disabled or its port is not fixed.
  func configured(_ file: ConfigurationFile?) throws -> DashboardClient? {
    DashboardClient(file?.current.dashboard ?? Configuration.Dashboard(), token: try token(file))
  }

  /// The dashboard of the appliance that the connection options name, by the page in its health.
  private func dashboardOfBroker() throws -> DashboardClient {
    let (configuration, brokers, folder) = try connection.resolved()
    let device = configuration.device.id
    let health = try RetainedQuery.run(
      .health, of: configuration, brokers: brokers, folder: folder, patience: .seconds(5),
      logger: log.logger(default: .error))
    guard let url = try? JSONValue(health, maximumBytes: 1 << 17)["page"]?.text,
      var client = DashboardClient(url: url, token: nil)
    else { throw Failure(.unavailable, .remoteNoPage, ["device": device]) }
    // The same address on this machine may belong to another scale with the same id.
    let hosts = (brokers ?? configuration.mqtt.addresses).map(\.host)
    if DashboardClient.isLoopback(client.host), !hosts.allSatisfy(DashboardClient.isLoopback) {
      throw Failure(.unavailable, .remoteOwnMachine, ["device": device, "url": url])
    }
    guard try RunningAppliance(client).device() == device else {
      throw Failure(.unavailable, .remoteElsewhere, ["device": device, "url": url])
    }
    // The token is not sent before the page has named its device.
    client.token = try token(nil)
    return client
  }

  /// What the dashboard needs: from the option, else from the environment, else from the configuration of this machine, whose token
  /// is not sent to other appliances.
  private func token(_ file: ConfigurationFile?) throws -> String? {
    let environment = tokenFile == nil ? ProcessInfo.processInfo.environment : [:]
    let path =
      tokenFile.map { absolutePath($0, in: workingFolder()) } ?? (isGiven ? nil : file?.current.dashboard.tokenFile)
    do throws(SecretFileError) {
      let secret = try Secret(
        variable: Configuration.Dashboard.tokenVariable, file: path, in: file?.folder ?? workingFolder(),
        environment: environment, limit: 4096)
      return secret.map { String(decoding: $0.bytes, as: UTF8.self) }
    } catch {
      throw Failure(.noInput, error.sentence)
    }
  }
}
