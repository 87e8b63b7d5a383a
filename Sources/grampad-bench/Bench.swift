import ArgumentParser

/// The program: what Grampad is worth, measured beside its peers.
@main
struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grampad-bench", abstract: "Measures Grampad beside its peers.",
    subcommands: [
      Truth.self,
      Cost.self,
    ])
}
