import Foundation
import Messages
import Testing

/// The project's AsyncAPI document, and what it says of a topic.
struct AsyncAPI {
  let document: JSONValue

  /// The document, read once.
  static let read = Result { try AsyncAPI() }

  private init() throws {
    let text = try String(contentsOf: configurationFolder.appending(path: "asyncapi.yaml"), encoding: .utf8)
    document = try #require(JSONValue(yaml: text))
  }

  /// What follows the prefix and the id in an address.
  static let base = "{prefix}/{id}/"

  /// The channel of an address.
  func channel(_ address: String) throws -> (name: String, channel: JSONValue) {
    let address = address.replacing(/control\/\w+$/, with: "control/{name}")
    let channels = try #require(document["channels"])
    for name in channels.keys ?? [] {
      if let channel = channels[name], channel["address"]?.text == address { return (name, channel) }
    }
    throw JSONSchema.Unusable(description: "no channel has the address \(address)")
  }

  /// What is wrong with a payload on the channel of an address: it has to fit one of the channel's messages.
  func faults(of payload: JSONValue, on address: String) throws -> [String] {
    let messages = try #require(channel(address).channel["messages"])
    var all: [String] = []
    for name in messages.keys ?? [] {
      let place = try #require(messages[name]?["$ref"]?.text)
      let faults = try JSONSchema(document, at: place + "/payload").faults(of: payload)
      if faults.isEmpty { return [] }
      all += faults
    }
    return all
  }

  /// The operation that sends on a channel.
  func sending(_ channel: String) -> JSONValue? {
    let operations = document["operations"]
    return operations?.keys?.compactMap { operations?[$0] }.first {
      $0["action"]?.text == "send" && $0["channel"]?["$ref"]?.text == "#/channels/" + channel
    }
  }
}
