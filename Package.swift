// swift-tools-version: 6.2
import PackageDescription

/// One list for every Swift target, so that no module is checked less strictly than another.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// What reads bytes of strangers: tests with seeded inputs, or, for `tools/fuzz`, a program of libFuzzer.
let fuzzing: Target =
  Context.environment["SPLITCAP_LIBFUZZER"] == nil
  ? .testTarget(
    name: "FuzzingTests", dependencies: ["Lab", "Pipes", "SplitcapCLI", "SplitcapCore"],
    path: "Tests/Fuzzing", exclude: ["LibFuzzer"], swiftSettings: strict)
  : .executableTarget(
    name: "fuzzer", dependencies: ["Lab", "Pipes", "SplitcapCLI", "SplitcapCore"],
    path: "Tests/Fuzzing", exclude: ["Seeded"], swiftSettings: strict)

let package = Package(
  name: "splitcap",
  products: [
    .executable(name: "splitcap", targets: ["splitcap"]),
    .library(name: "SplitcapCore", targets: ["SplitcapCore"]),
    .library(name: "ALSASource", targets: ["ALSASource"]),
    .library(name: "PulseSource", targets: ["PulseSource"]),
    .library(name: "SoundFiles", targets: ["SoundFiles"]),
    // For the tests and for trying things by hand: a device for libasound to load.
    .library(name: "VirtualHeadset", type: .dynamic, targets: ["VirtualHeadset"]),
    // For the tests: libraries to preload into a program.
    .library(name: "TestClock", type: .dynamic, targets: ["TestClock"]),
    .library(name: "AllocationGuard", type: .dynamic, targets: ["AllocationGuard"]),
  ],
  targets: [
    // C libraries: a header and a module map each, nothing else; one importer each.
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CALSA", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(name: "CPulse", providers: [.apt(["libpulse-dev"])]),
    .systemLibrary(name: "CSndFile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(name: "CSoxr", providers: [.apt(["libsoxr-dev"])]),

    // Pure Swift; builds and tests without any sound library.
    .target(name: "SplitcapCore", dependencies: ["CLinux"], swiftSettings: strict),

    // Where frames come from.
    .target(name: "ALSASource", dependencies: ["CALSA", "SplitcapCore"], swiftSettings: strict),
    .target(name: "PulseSource", dependencies: ["CPulse", "SplitcapCore"], swiftSettings: strict),

    // Where frames come from and go to.
    .target(
      name: "SoundFiles", dependencies: ["CSndFile", "Pipes", "Resampling", "SplitcapCore"],
      swiftSettings: strict),
    .target(name: "Pipes", dependencies: ["SplitcapCore"], swiftSettings: strict),
    .target(name: "Resampling", dependencies: ["CSoxr", "SplitcapCore"], swiftSettings: strict),

    // Who says what, and when.
    .target(
      name: "Transcripts", dependencies: ["Pipes", "Resampling", "SplitcapCore"],
      swiftSettings: strict),

    // The program.
    .target(
      name: "SplitcapCLI",
      dependencies: [
        "SplitcapCore", "ALSASource", "PulseSource", "SoundFiles", "Pipes", "Resampling",
        "Transcripts",
      ],
      swiftSettings: strict),
    .executableTarget(name: "splitcap", dependencies: ["SplitcapCLI"], swiftSettings: strict),

    // The README's example, which the tests build and run.
    .executableTarget(
      name: "TwoEars", dependencies: ["PulseSource", "SoundFiles", "SplitcapCore"],
      path: "Examples/TwoEars", swiftSettings: strict),

    // Test support: programs, private sound servers, a virtual headset, sound that can be checked.
    .target(
      name: "VirtualHeadset", path: "Tests/VirtualHeadset", exclude: ["README.md"],
      linkerSettings: [.linkedLibrary("asound")]),
    .target(name: "TestClock", path: "Tests/TestClock", exclude: ["README.md"]),
    .target(name: "AllocationGuard", path: "Tests/AllocationGuard", exclude: ["README.md"]),
    .target(name: "Lab", path: "Tests/Lab", swiftSettings: strict),
    .executableTarget(
      name: "soak", dependencies: ["Lab"], path: "Tests/Soak", swiftSettings: strict),

    .testTarget(
      name: "SplitcapCoreTests", dependencies: ["SplitcapCore", "Lab"], swiftSettings: strict),
    .testTarget(
      name: "ALSASourceTests", dependencies: ["ALSASource", "SplitcapCore", "Lab"],
      swiftSettings: strict),
    .testTarget(
      name: "PulseSourceTests", dependencies: ["PulseSource", "SplitcapCore", "Lab"],
      swiftSettings: strict),
    .testTarget(
      name: "SoundFilesTests", dependencies: ["SoundFiles", "SplitcapCore", "Lab"],
      swiftSettings: strict),
    .testTarget(
      name: "PipesTests", dependencies: ["Pipes", "SplitcapCore", "Lab"], swiftSettings: strict),
    .testTarget(
      name: "ResamplingTests", dependencies: ["Resampling", "SplitcapCore"], swiftSettings: strict
    ),
    .testTarget(
      name: "TranscriptsTests", dependencies: ["Transcripts", "SplitcapCore", "Lab"],
      swiftSettings: strict),
    .testTarget(
      name: "SplitcapCLITests",
      dependencies: ["SplitcapCLI", "SplitcapCore", "Transcripts", "Lab", "splitcap"],
      swiftSettings: strict),
    fuzzing,
    .testTarget(name: "LabTests", dependencies: ["Lab"], swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests", dependencies: ["Lab", "SplitcapCore", "splitcap"],
      swiftSettings: strict),
  ]
)
