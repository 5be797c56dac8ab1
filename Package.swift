// swift-tools-version: 6.2

import Glibc
import PackageDescription

/// Every Swift target is built the same way: Swift 6, existentials spelled out, imports internal unless said otherwise.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

/// The product uses neither regular expressions nor tasks; linked in, they would cost a megabyte of memory.
let productSettings =
    settings + [
        .unsafeFlags([
            "-Xfrontend", "-disable-implicit-string-processing-module-import",
            "-Xfrontend", "-disable-implicit-concurrency-module-import",
        ])
    ]

/// Half a megabyte of relocations becomes a few kilobytes, which the loader understands since glibc 2.36.
let packedRelocations = isGlibc(atLeast: 36) ? ["-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"] : []

func isGlibc(atLeast minor: Int) -> Bool {
    var version = [CChar](repeating: 0, count: 64)
    confstr(Int32(_CS_GNU_LIBC_VERSION), &version, version.count)
    let words = version.prefix { $0 != 0 }.split(separator: CChar(UInt8(ascii: ".")))
    return words.count > 1
        && (Int(String(decoding: words[1].map { UInt8(bitPattern: $0) }, as: UTF8.self)) ?? 0) >= minor
}

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: productSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

func library(_ name: String, pkgConfig: String? = nil, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let package = Package(
    name: "tianlai",
    products: [.executable(name: "tianlai", targets: ["tianlai"])],
    targets: [
        // The C libraries. One Swift module imports each (two import libpulse: the loop is its loop).
        library("CDBus", pkgConfig: "dbus-1", apt: "libdbus-1-dev"),
        library("CPulse", pkgConfig: "libpulse", apt: "libpulse-dev"),
        library("CMpg123", pkgConfig: "libmpg123", apt: "libmpg123-dev"),
        library("CSndfile", pkgConfig: "sndfile", apt: "libsndfile1-dev"),
        library("CEbur128", pkgConfig: "libebur128", apt: "libebur128-dev"),
        library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        library("CExpat", pkgConfig: "expat", apt: "libexpat1-dev"),
        library("CUchardet", pkgConfig: "uchardet", apt: "libuchardet-dev"),
        library("CInih", pkgConfig: "inih", apt: "libinih-dev"),
        library("CLinux", apt: "libc6-dev"),
        .target(
            name: "CTagLib",
            linkerSettings: [.linkedLibrary("tag"), .linkedLibrary("stdc++")]
        ),

        // The product, lowest module first: each imports only what is listed.
        module("Language", ["CLinux"]),
        module("Music"),
        module("EventLoop", ["CPulse", "CLinux", "Music"]),
        module("DBus", ["CDBus", "EventLoop", "Music"]),
        module("Audio", ["EventLoop", "Music"]),
        module("Mpg123", ["CMpg123", "Audio", "Music"]),
        module("Sndfile", ["CSndfile", "Audio", "Music"]),
        module("Loudness", ["CEbur128", "Audio", "Music"]),
        module("Pulse", ["CPulse", "Audio", "EventLoop", "Music"]),
        module("Charset", ["CUchardet", "Music"]),
        module("Playlists", ["CExpat", "Charset", "Music"]),
        module("TagReading", ["CTagLib", "Charset", "Music"]),
        module("LyricsReading", ["Charset", "Music"]),
        module("Covers", ["TagReading", "Music"]),
        module("Library", ["CSQLite", "CLinux", "TagReading", "EventLoop", "Music"]),
        module("Playback", ["Audio", "EventLoop", "Music"]),
        module("State", ["Playback", "Music"]),
        module("Session", ["DBus", "EventLoop", "Music"]),
        module("MPRIS", ["DBus", "Playback", "Library", "Music"]),
        module(
            "Service",
            [
                "MPRIS", "Session", "DBus", "Playback", "State", "Library", "Playlists", "TagReading",
                "LyricsReading",
                "Covers", "Charset", "CInih", "Mpg123", "Sndfile", "Loudness", "Pulse", "Audio", "EventLoop",
                "Language", "Music",
            ]
        ),
        module("CLI", ["Service", "DBus", "EventLoop", "Language", "Music"]),
        .executableTarget(
            name: "tianlai",
            dependencies: ["CLI"],
            swiftSettings: productSettings,
            linkerSettings: [.unsafeFlags(["-use-ld=lld"] + packedRelocations)]
        ),

        // The tests.
        .target(
            name: "TestSupport",
            dependencies: ["Music"],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "AudioTestSupport",
            dependencies: ["Audio", "EventLoop", "Music"],
            path: "Tests/AudioTestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "BusTestSupport",
            dependencies: ["DBus", "EventLoop", "Music"],
            path: "Tests/BusTestSupport",
            swiftSettings: settings
        ),
        tests("LanguageTests", ["Language"]),
        tests("MusicTests", ["Music"]),
        tests("EventLoopTests", ["EventLoop", "Music"]),
        tests("DBusTests", ["DBus", "EventLoop", "Music", "BusTestSupport", "TestSupport"]),
        tests("AudioTests", ["Audio", "EventLoop", "Music", "AudioTestSupport"]),
        tests("Mpg123Tests", ["Mpg123", "Audio", "Music", "TestSupport"]),
        tests("SndfileTests", ["Sndfile", "Audio", "Music", "TestSupport"]),
        tests("LoudnessTests", ["Loudness", "Audio", "Music", "TestSupport"]),
        tests("CharsetTests", ["Charset", "Music", "TestSupport"]),
        tests("PlaylistsTests", ["Playlists", "Music", "TestSupport"]),
        tests("TagReadingTests", ["TagReading", "Charset", "Music", "TestSupport"]),
        tests("LyricsReadingTests", ["LyricsReading", "Charset", "Music", "TestSupport"]),
        tests("CoversTests", ["Covers", "TagReading", "Music", "TestSupport"]),
        tests("LibraryTests", ["Library", "TagReading", "EventLoop", "Music", "TestSupport"]),
        tests("PulseTests", ["Pulse", "CPulse", "Audio", "EventLoop", "Music", "TestSupport"]),
        tests("PlaybackTests", ["Playback", "Audio", "EventLoop", "Music", "AudioTestSupport"]),
        tests("StateTests", ["State", "Playback", "Music", "TestSupport"]),
        tests("SessionTests", ["Session"]),
        tests(
            "MPRISTests",
            ["MPRIS", "DBus", "Playback", "Library", "EventLoop", "Music", "BusTestSupport", "TestSupport"]
        ),
        tests(
            "CLITests",
            [
                "CLI", "TagReading", "Charset", "DBus", "EventLoop", "Service", "Session", "Language",
                "Music",
                "TestSupport",
            ]
        ),
        tests("ServiceTests", ["DBus", "EventLoop", "Music", "BusTestSupport", "TestSupport"]),
    ],
    cxxLanguageStandard: .cxx17
)
