import Foundation
import Testing

/// The help: examples for every command, and shell completions.
@Suite struct HelpTests {
  /// One command of `--experimental-dump-help`, as far as the tests read it.
  private struct Command: Decodable {
    var commandName: String
    var discussion: String?
    var abstract: String?
    var subcommands: [Command]?

    func all(_ path: String = "") -> [(path: String, command: Command)] {
      let own = path.isEmpty ? commandName : "\(path) \(commandName)"
      return [(own, self)] + (subcommands ?? []).flatMap { $0.all(own) }
    }
  }

  private struct Dump: Decodable {
    var command: Command
  }

  @Test func everyCommandHasAnExample() async throws {
    let dump = try await Program.run(["--experimental-dump-help"])
    let root = try JSONDecoder().decode(Dump.self, from: Data(dump.output.utf8)).command
    let commands = root.all().filter { $0.command.commandName != "help" }
    #expect(commands.count >= 20)
    for (path, command) in commands {
      #expect(command.abstract?.isEmpty == false, "\(path)")
      let words = path.split(separator: " ").prefix(2).joined(separator: " ")
      let discussion = command.discussion ?? ""
      #expect(discussion.contains("Example") && discussion.contains("  \(words) "), "\(path): \(discussion)")
    }
  }

  /// Typed text, and one of the completions offered for it.
  @Test(arguments: [
    (["cal"], "calibrate"), (["calibrate", "ver"], "verify"),
    (["calibrate", "measure", "--curve", "mono"], "monotone"),
    (["action", "cle"], "clear_tare"), (["run", "--action", "com"], "commit"), (["record", "au"], "auto"),
    (["calibrate", "measure", "--sv"], "--svg"),
  ])
  func bashOffers(_ words: [String], _ offer: String) async throws {
    let folder = try TemporaryFolder()
    let script = try await Program.run(["--generate-completion-script", "bash"])
    let file = try folder.write("completion.bash", script.output)
    let line = (["grampad"] + words).joined(separator: " ")
    let test = """
      source \(file)
      COMP_WORDS=(\(line)) COMP_CWORD=\(words.count) COMP_LINE='\(line)' COMP_POINT=\(line.count)
      _grampad grampad '\(words.last ?? "")' '\((["grampad"] + words).dropLast().last ?? "")' && printf '%s\\n' "${COMPREPLY[@]}"
      """
    let bash = try await Program("bash", ["-c", test]).ended()
    #expect(
      bash.output.split(separator: "\n").contains { $0.trimmingCharacters(in: .whitespaces) == offer },
      "\(bash.output)\(bash.complaints)")
  }

  @Test(arguments: ["zsh", "fish"]) func otherShellsHaveScripts(_ shell: String) async throws {
    let script = try await Program.run(["--generate-completion-script", shell])
    #expect(script.code == 0)
    for word in ["calibrate", "self-test", "clear_tare", "evemu"] { #expect(script.output.contains(word), "\(word)") }
  }
}
