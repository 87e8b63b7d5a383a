/// What this program calls itself.
package enum Version {
  /// The version, as `--version` and `health` give it.
  package static let text = "0.1.0"

  /// The public address of the project: a placeholder, to be set once, here. The packages take it from this line.
  package static let homepage = "https://github.com/grampad/grampad"

  /// The architecture that the program is compiled for, as Debian names it.
  package static let architecture: String = {
    #if arch(x86_64)
      "amd64"
    #elseif arch(arm64)
      "arm64"
    #else
      "unknown"
    #endif
  }()
}
