import ArgumentParser
import Client
import Commands
import Configuration
import Glibc
import Languages
import Linux
import Messages
import Weighing

/// `clients`
struct ClientsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clients", abstract: "List the clients that may act on a running appliance, or revoke one.",
    discussion: """
      A phone, a tablet or an app asks for the right to act, and a press of the scale grants it.

      Examples:
        grampad clients
        grampad clients --json | jq .clients
        grampad clients revoke 3f9c01de
      """,
    subcommands: [ClientsShow.self, ClientsRevoke.self], defaultSubcommand: ClientsShow.self)
}

extension DashboardOptions {
  /// Sends a request about clients; returns those that may act after it, as bytes and as value.
  fileprivate func clients(_ path: String = "", method: String? = nil) throws -> (bytes: [UInt8], json: JSONValue) {
    let file = try connection.options.file()
    guard let client = try given(file) ?? configured(file) else { throw Failure(.configuration, .dashboardUnknown) }
    let response: DashboardClient.Response
    do throws(DashboardClientError) {
      response = try client.send("/api/clients" + path, method: method)
    } catch {
      throw Failure(.unavailable, error.sentence)
    }
    guard response.status == 200, let json = response.json else {
      let codes = [401: Sysexit.noPermission, 403: .noPermission, 404: .rejected]
      throw Failure(codes[response.status] ?? .unavailable, response.complaint.about(client.url))
    }
    return (response.body, json)
  }
}

/// `clients show`, the default subcommand of `clients`
struct ClientsShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "List the clients that may act. Default subcommand of `clients`.",
    discussion: """
      Prints a table on a terminal, otherwise JSON. An app is known by its address; it may tare and use the timer for 30 days. \
      Days are in UTC.

      Example:
        grampad clients show --json
      """)
  @OptionGroup var dashboard: DashboardOptions
  @Flag(help: "Print a JSON object, even on a terminal.")
  var json = false

  func run() throws {
    try failing {
      let (bytes, value) = try dashboard.clients()
      if json || isatty(STDOUT_FILENO) != 1 { return try printAll(String(decoding: bytes, as: UTF8.self) + "\n") }
      let texts = Texts.ofUser
      guard case .array(let clients)? = value["clients"], !clients.isEmpty else {
        return try printAll(texts(.clientsNone) + "\n")
      }
      let head = [
        "ID", texts(.clientsHeadName), texts(.clientsHeadKind), texts(.clientsHeadAddress), texts(.clientsHeadSince),
        texts(.clientsHeadUntil),
      ]
      let rows = clients.map { client in
        ["id", "name", "kind", "address", "created", "expires"].map { key in
          let text = (client[key]?.text ?? "").escapedForTerminal
          return key == "created" || key == "expires" ? String(text.prefix(10)) : text
        }
      }
      try printAll(TextTable.text([head] + rows))
    }
  }
}

/// `clients revoke`
struct ClientsRevoke: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Take the right to act from a client.",
    discussion: """
      The client can ask again. The exit code is 1 if there is no such client.

      Example:
        grampad clients revoke 3f9c01de
      """)
  @Argument(help: "The ID of the client, as `grampad clients` lists it.")
  var id: String
  @OptionGroup var dashboard: DashboardOptions

  func validate() throws {
    guard !id.isEmpty, id.utf8.count <= 64, id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
      throw ValidationError("The ID of a client has only letters and digits; see `grampad clients`.")
    }
  }

  func run() throws {
    try failing {
      _ = try dashboard.clients("/\(id)", method: "DELETE")
      try printAll(Texts.ofUser(.clientsRevoked, ["id": id]) + "\n")
    }
  }
}
