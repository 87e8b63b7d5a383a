// swift-tools-version: 6.2
import PackageDescription

// Every Swift target of ours is held to the same rules: Swift 6 mode and no warning left standing.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
]

// Tests run in a release build, against what ships (deploy/lib/release.sh). Optimising them as well would cost more than it saves.
let tests: [SwiftSetting] = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")

let package = Package(
  name: "grampad",
  products: [
    .executable(name: "grampad", targets: ["grampad"]),
    .executable(name: "grampad-fleet", targets: ["grampad-fleet"]),
    .library(name: "Weighing", targets: ["Weighing"]),
  ],
  // Exact versions, those of transitive packages too: Package.resolved is not committed, so this list alone decides what is
  // in a build.
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    // Required by swift-nio; MQTTLink has its queues from swift-collections.
    .package(url: "https://github.com/apple/swift-atomics", exact: "1.3.0"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
  ],
  targets: [
    // The pure core: values in, values out; time is an argument.
    .target(name: "Weighing", swiftSettings: strict),
    // Effects to bytes, bytes to commands, and the settings of a link.
    .target(name: "Messages", dependencies: ["Weighing", "Languages"], swiftSettings: strict),
    // The evemu format and the simulated pad.
    .target(name: "Recordings", dependencies: ["Weighing"], swiftSettings: strict),

    // C, each behind one Swift target.
    .systemLibrary(name: "CEvdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
    // Keyboard layouts, for scanners.
    .systemLibrary(name: "CXkbcommon", pkgConfig: "xkbcommon", providers: [.apt(["libxkbcommon-dev"])]),
    .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    // libcrypto, which libmosquitto brings along: SHA-256 for the journal's chain, and reading certificates and keys.
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CAvahi", pkgConfig: "avahi-client", providers: [.apt(["libavahi-client-dev"])]),
    .target(name: "CLinux"),
    // The function of SQLite that cannot be imported, next to GRDB's module for the others.
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    // The system layer: threads, polling, wake-ups, the clock, files, cleaning and tables of texts.
    .target(name: "Linux", dependencies: ["Weighing", "CLinux", system], swiftSettings: strict),

    // The edges, which do not know each other.
    .target(
      name: "EvdevInput",
      dependencies: ["Weighing", "Languages", "CEvdev", "CXkbcommon", "CLinux", "Linux", logging],
      swiftSettings: strict),
    .target(name: "IIOInput", dependencies: ["Weighing", "Languages", "Linux", logging], swiftSettings: strict),
    .target(
      name: "MQTTLink",
      dependencies: [
        "Weighing", "Messages", "Languages", "CMosquitto", "CCrypto", "CLinux", "Linux", logging, system,
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      swiftSettings: strict),

    .target(
      name: "Journal",
      dependencies: [
        "Weighing", "Languages", "Linux", "CCrypto", "CSQLite", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"), logging, system,
      ],
      swiftSettings: strict),

    // The weighings of many appliances in PostgreSQL.
    .target(
      name: "Fleet",
      dependencies: ["Weighing", "Messages", "Languages", "MQTTLink", "Linux", "CPostgres", logging],
      swiftSettings: strict),

    // Client certificates for devices: requests, renewal, and the server next to the certificate authority.
    .target(
      name: "Enrolling",
      dependencies: [
        "Weighing", "Messages", "Configuration", "Languages", "MQTTLink", "CCrypto", "Linux", logging,
      ],
      swiftSettings: strict),

    // Thousands of light devices, to test a fleet with.
    .target(
      name: "Simulating",
      dependencies: ["Weighing", "Messages", "MQTTLink", "Recordings", "Linux", logging, system],
      swiftSettings: strict),

    // Every TCP server: the page, server-sent events, the WebSocket, metrics, MT-SICS.
    .target(
      name: "Servers",
      dependencies: [
        "Messages", "Weighing", "Linux", "Languages", "CPage", "CLinux", nio,
        .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"), logging,
        // Not imported: without a target that depends on it, the package manager warns that its version is given for nothing.
        .product(name: "Atomics", package: "swift-atomics"),
      ],
      exclude: ["Page"], swiftSettings: strict),
    // Announces the servers on the network: DNS-SD by Avahi.
    .target(name: "Announcing", dependencies: ["Weighing", "Linux", "CAvahi", logging], swiftSettings: strict),
    // Types weighings as a keyboard does.
    .target(
      name: "Keyboard", dependencies: ["Weighing", "Messages", "Languages", "CLinux", "Linux", logging],
      swiftSettings: strict),
    // The files in Servers/Page, in the program itself, so that it stays one file.
    .target(name: "CPage"),

    // The configuration file: every section with its keys, and the calibration file that it names.
    .target(
      name: "Configuration",
      dependencies: ["Weighing", "Messages", "Languages", "Linux", "CLinux", "CTexts", "Yams", system],
      swiftSettings: strict),
    // The texts in each language, and which language a user has chosen.
    .target(name: "Languages", dependencies: ["Weighing", "CTexts"], exclude: ["Strings"], swiftSettings: strict),
    // The files in Languages/Strings, and config/pads.yaml.
    .target(name: "CTexts"),
    // What commands show and ask on a terminal.
    .target(name: "Terminal", dependencies: ["Weighing", "Linux", "Languages", system], swiftSettings: strict),
    // What talks to a running appliance over MQTT: actions, watch, health, the Model Context Protocol.
    .target(
      name: "Client",
      dependencies: [
        "Weighing", "Messages", "MQTTLink", "Configuration", "Languages", "Terminal", "Linux", logging, system,
      ],
      swiftSettings: strict),
    // Records the events of a device.
    .target(
      name: "Capture",
      dependencies: ["Weighing", "EvdevInput", "IIOInput", "Languages", "Recordings", "Linux", logging],
      swiftSettings: strict),
    // Certificates and drawings of a calibration, as text, JSON, HTML and SVG.
    .target(
      name: "Certificates", dependencies: ["Weighing", "Messages", "Configuration", "Languages", "Linux"],
      swiftSettings: strict),
    // What only commands need: calibrating; backups and fault reports.
    .target(
      name: "Calibrating",
      dependencies: [
        "Weighing", "Messages", "Configuration", "EvdevInput", "Languages", "Recordings", "Terminal", "Linux",
      ],
      swiftSettings: strict),
    .target(
      name: "Backup",
      dependencies: [
        "Weighing", "Messages", "Configuration", "Client", "Journal", "Languages", "Capture", "EvdevInput", "IIOInput",
        "Recordings", "Linux", logging, system,
      ],
      swiftSettings: strict),

    // The service. Composition: the only target that knows all the edges.
    .target(
      name: "Appliance",
      dependencies: [
        "Weighing", "Messages", "Recordings", "Configuration", "Certificates", "EvdevInput", "IIOInput", "Languages",
        "MQTTLink", "Enrolling", "Journal", "Keyboard", "Servers", "Announcing", "Linux", logging, system,
      ],
      swiftSettings: strict),
    // What the command lines of the programs share: files, logs, errors and exit codes.
    .target(
      name: "Commands",
      dependencies: [
        "Client", "Configuration", "Languages", "Messages", "Weighing", "Linux", argumentParser, logging, system,
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "grampad",
      dependencies: [
        "Appliance", "Commands", "Configuration", "Client", "Calibrating", "Certificates", "Backup", "Capture",
        "Languages",
        "Terminal", "Weighing", "Messages", "Recordings", "EvdevInput", "IIOInput", "MQTTLink", "Journal",
        "Enrolling", "Linux", argumentParser, logging, system,
      ], swiftSettings: strict),
    // For many scales: the collector and what needs its database, certificates for devices, light devices.
    .executableTarget(
      name: "grampad-fleet",
      dependencies: [
        "Commands", "Configuration", "Servers", "Enrolling", "Fleet", "Languages", "Messages", "Simulating", "Linux",
        argumentParser, logging,
      ], swiftSettings: strict),

    // Benchmarks, for developers: measures it against its peers; not part of the package.
    .executableTarget(
      name: "grampad-bench",
      dependencies: ["Weighing", "Messages", "Recordings", "CAllocations", "CBaselines", argumentParser],
      path: "Tests/Bench", exclude: ["Baselines"], swiftSettings: strict),
    // The C and Python programs that it is compared with, in the program itself, so that it stays one file.
    .target(name: "CBaselines", path: "Tests/CBaselines"),
    // Counts what is allocated in the program that it is linked into.
    .target(name: "CAllocations", path: "Tests/CAllocations"),

    // A force pad made by the kernel's uinput, for the tests on a real kernel.
    .executableTarget(name: "testpad", dependencies: ["CEvdev"], path: "Tests/TestPad", swiftSettings: tests),

    // How many random sequences run.
    .target(name: "TestExtent", path: "Tests/TestExtent", swiftSettings: tests),
    .testTarget(
      name: "WeighingTests", dependencies: ["Languages", "Weighing", "Recordings", "TestExtent"], swiftSettings: tests),
    .testTarget(name: "MessagesTests", dependencies: ["Languages", "Messages", "Weighing"], swiftSettings: tests),
    .testTarget(name: "RecordingsTests", dependencies: ["Recordings", "Weighing"], swiftSettings: tests),
    // Tells what EvdevInput sees; the tests run it under umockdev-run, which has to be preloaded.
    .executableTarget(
      name: "padprobe", dependencies: ["EvdevInput", "Weighing", "CLinux", logging], path: "Tests/PadProbe",
      swiftSettings: tests),
    .testTarget(
      name: "EvdevInputTests",
      dependencies: ["EvdevInput", "Languages", "Linux", "Messages", "Weighing", "CLinux", logging, "padprobe"],
      swiftSettings: tests),
    .testTarget(
      name: "IIOInputTests", dependencies: ["IIOInput", "Recordings", "Weighing", "Linux", logging],
      swiftSettings: tests),
    // Ports for the servers of tests, in whichever test program they are.
    .target(name: "FreePorts", path: "Tests/FreePorts", swiftSettings: tests),
    // A process of its own for the tests that kill one.
    .executableTarget(
      name: "brokerprobe", dependencies: ["MQTTLink", "Messages", logging], path: "Tests/BrokerProbe",
      swiftSettings: tests),
    .testTarget(
      name: "MQTTLinkTests",
      dependencies: ["MQTTLink", "Messages", "Weighing", "Linux", "FreePorts", "brokerprobe", logging],
      swiftSettings: tests),
    .testTarget(
      name: "FleetTests",
      dependencies: [
        "Fleet", "Languages", "Messages", "MQTTLink", "Recordings", "Weighing", "Linux", "FreePorts", "grampad",
        "grampad-fleet", logging,
      ],
      swiftSettings: tests),
    // Disks in memory that fail, for the program that it is linked into.
    .target(name: "CSimulatedDisk", path: "Tests/SimulatedDisk"),
    // Scales, a broker and a collector in one thread, from one seed.
    .testTarget(
      name: "WorldTests",
      dependencies: [
        "Appliance", "Client", "Configuration", "Fleet", "Journal", "Languages", "Linux", "Messages", "MQTTLink",
        "Recordings", "Servers", "Weighing", "CSimulatedDisk", logging,
      ],
      path: "Tests/World", exclude: ["planted", "corpus"], swiftSettings: tests),
    .testTarget(
      name: "SimulatingTests", dependencies: ["Simulating", "MQTTLink", "Messages", "Weighing"], swiftSettings: tests),
    .testTarget(
      name: "JournalTests",
      dependencies: [
        "Journal", "Recordings", "Weighing", "TestExtent", "CSimulatedDisk",
        .product(name: "GRDB", package: "GRDB.swift"), logging,
      ],
      swiftSettings: tests),
    .testTarget(
      name: "ServersTests",
      dependencies: [
        "Servers", "Linux", "Languages", "Messages", "Weighing", nio,
        .product(name: "NIOEmbedded", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"), logging,
      ],
      swiftSettings: tests),
    .testTarget(
      name: "CaptureTests", dependencies: ["Capture", "Languages", "Linux", "Recordings", "Weighing"],
      swiftSettings: tests),
    .testTarget(name: "EnrollingTests", dependencies: ["Enrolling", "Messages", "Weighing"], swiftSettings: tests),
    .testTarget(
      name: "AnnouncingTests", dependencies: ["Announcing", "Linux", logging], swiftSettings: tests),
    .testTarget(
      name: "KeyboardTests", dependencies: ["Keyboard", "Messages", "Weighing", "Linux", logging],
      swiftSettings: tests),
    .testTarget(name: "LinuxTests", dependencies: ["Linux", "Weighing", system], swiftSettings: tests),
    .testTarget(
      name: "CalibratingTests",
      dependencies: [
        "Calibrating", "Certificates", "Configuration", "Languages", "Linux", "Messages", "Recordings", "Terminal",
        "Weighing",
      ],
      swiftSettings: tests),
    .testTarget(name: "LanguagesTests", dependencies: ["Languages", "Weighing"], swiftSettings: tests),
    .testTarget(name: "TerminalTests", dependencies: ["Languages", "Terminal", "Weighing"], swiftSettings: tests),
    .testTarget(name: "BackupTests", dependencies: ["Backup", "Configuration", "Weighing"], swiftSettings: tests),
    // Inputs of `replay` and what it prints for them, see Testing.md.
    .target(
      name: "GoldenCases", dependencies: ["Appliance", "Configuration", "Messages", "Recordings", "Weighing"],
      path: "Tests/GoldenCases", exclude: ["Golden"], swiftSettings: tests),
    // With the schemas of the configuration and of the payloads.
    .testTarget(
      name: "ConfigurationTests",
      dependencies: [
        "Client", "Configuration", "GoldenCases", "Languages", "Linux", "Messages", "Recordings", "TestExtent",
        "Weighing",
      ],
      swiftSettings: tests),
    .testTarget(
      name: "ClientTests",
      dependencies: [
        "Client", "Configuration", "GoldenCases", "Languages", "Linux", "Messages", "Terminal", "Weighing", logging,
      ],
      swiftSettings: tests),
    .testTarget(
      name: "ApplianceTests",
      dependencies: [
        "Announcing", "Appliance", "Configuration", "GoldenCases", "Journal", "Linux", "MQTTLink", "Messages",
        "Recordings",
        "Servers", "Weighing", logging,
      ],
      exclude: ["Sums/consumers.py"], swiftSettings: tests),
    // The appliance with a play on its simulated pad, and the page of it in a real browser.
    .executableTarget(
      name: "stageprobe",
      dependencies: ["Appliance", "Configuration", "Journal", "Messages", "Recordings", "Weighing", logging],
      path: "Tests/StageProbe",
      swiftSettings: tests),
    .testTarget(
      name: "BrowserTests", dependencies: ["grampad", "stageprobe"], exclude: ["requirements.txt"],
      swiftSettings: tests),
    .testTarget(
      name: "CommandTests", dependencies: ["grampad", "grampad-fleet", "stageprobe", "FreePorts", "TestExtent"],
      swiftSettings: tests),
  ]
)
