import Foundation
import Lab
import Testing

/// Recordings whose program tells of gaps, which is where they are on every run.
@Suite("splitcap verify --events")
struct VerifyEventsTests {
  /// A gap in front of a frame of `in.wav`.
  private typealias Gap = (frame: Int, frames: Int)

  /// What `verify --json` says; it must say nothing else.
  private struct Answer {
    let isFine: Bool
    let start: String?
    let firstFrame: Int?
    /// First frames and lengths.
    let gaps: [[Int]]
    let findings: [String]

    init(_ outcome: Program.Outcome) throws {
      #expect(outcome.errors == "")
      let object = EventLine(
        members: try #require(
          try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]))
      isFine = try #require(object.members["fine"] as? Bool)
      start = object.text("start")
      firstFrame = object.number("first_frame")
      gaps = object.objects("gaps").map { [$0.frame, $0.number("frames") ?? -1] }
      findings = object.objects("findings").compactMap { $0.text("finding") }
      #expect(outcome.status == .exited(isFine ? 0 : 1))
      #expect(isFine == findings.isEmpty)
    }
  }

  private func verify(_ shop: Workshop, _ files: String, in folder: String = ".") throws -> Answer {
    try Answer(
      shop.run("cd \(folder) && splitcap verify --json --events \(shop.folder("log")) \(files)"))
  }

  /// Writes a program that plays `in.wav` with gaps, and returns the command that records it and
  /// appends its events to `log`.
  private func recorder(_ shop: Workshop, _ gaps: [Gap]) throws -> String {
    let name = "feed-\(gaps.map { "\($0.frame)-\($0.frames)" }.joined(separator: "-")).sh"
    let lines = gaps.map {
      "echo '{\"event\":\"gap\",\"frame\":\($0.frame),\"frames\":\($0.frames)}' >&3"
    }
    let script = lines + ["cat \(shop.folder("in.wav"))"]
    try shop.folder.write(script.joined(separator: "\n"), to: name)
    return "splitcap -q -i 'exec:sh \(shop.folder(name))' --events fd:3 3>>\(shop.folder("log"))"
  }

  private func events(_ shop: Workshop) throws -> [EventLine] {
    try EventLine.all(in: shop.text("log"))
  }

  @Test("the files of a segment have its start, and the gaps that lie in it, cut where it is cut")
  func segments() throws {
    let shop = try Workshop()
    // The first one lies across the cut at 64 000.
    let record = try recorder(shop, [(63_900, 200), (100_000, 512)])
    try shop.run("\(record) --segment 4s -l l-%i.wav -r r-%i.wav", expecting: 1)
    let told = try events(shop).named("segment")
    for (index, gaps) in [[[63_900, 100]], [[0, 100], [36_200, 512]], []].enumerated() {
      let answer = try verify(shop, "l-000\(index + 1).wav r-000\(index + 1).wav")
      #expect(answer.findings == [])
      #expect(answer.gaps == gaps)
      #expect(answer.firstFrame == 64_000 * index)
      #expect(answer.start == told[index].text("start_time"))
    }
    let text = try shop.run("splitcap verify l-0002.wav r-0002.wav --events log", expecting: 0).text
    #expect(text.contains("Z, frame 64000 of the recording\ngaps   2, 612 frames, as the events"))
    #expect(text.contains(" frame 36200 (2.263 s): 512 frames (0.032 s), source\n"))
    #expect(text.hasSuffix("fine: the ears belong together\n"))

    // By another path, and in another place.
    let here = shop.folder.path
    #expect(try verify(shop, "\(here)/l-0002.wav \(here)/r-0002.wav", in: "/").isFine)
    try shop.run("mkdir moved; cp ?-0002.wav moved", expecting: 0)
    #expect(try verify(shop, "moved/l-0002.wav moved/r-0002.wav").firstFrame == 64_000)
    #expect(try verify(shop, "l-0002.wav r-0002.wav", in: "moved").firstFrame == 64_000)

    // One sample in a gap that is not silent; files of two segments; a file that is none of them.
    try shop.run("printf x | dd of=r-0002.wav bs=1 seek=44 conv=notrunc status=none", expecting: 0)
    #expect(try verify(shop, "l-0002.wav r-0002.wav").findings == ["gap-missing"])
    #expect(try verify(shop, "l-0001.wav moved/r-0002.wav").findings == ["events-differ"])
    try shop.run("cp l-0001.wav x.wav; cp r-0001.wav y.wav", expecting: 0)
    for files in ["x.wav y.wav", "l-0001.wav y.wav", "x.wav r-0001.wav"] {
      try shop.expectRefusal(
        3, "'log' tells of a recording in several files", hint: "leave out --events",
        of: "splitcap verify --events log \(files)")
    }
  }

  @Test("so have the files that a recording goes on in, by its size or at SIGUSR1")
  func continued() throws {
    let shop = try Workshop()
    let record = try recorder(shop, [(60_000, 512)])
    try shop.run("\(record) --max-file-size 100K -l l.wav -r r.wav", expecting: 1)
    let told = try events(shop).named("segment")
    #expect(told.count > 2)
    for (index, segment) in told.enumerated() {
      let name = index == 0 ? "wav" : "\(index + 1).wav"
      let answer = try verify(shop, "l.\(name) r.\(name)")
      #expect(answer.findings == [])
      let first = try #require(segment.number("first_frame"))
      #expect(answer.firstFrame == first)
      let isThere = segment.number("gap_frames") != 0
      #expect(answer.gaps == (isThere ? [[60_000 - first, 512]] : []))
    }

    let again = try Workshop()
    let program = try again.start(
      "exec splitcap -q -i - --input-rate 16000 -l l.wav -r r.wav --events log", input: .held)
    let sound = Array(Workshop.wave.dropFirst(44))
    try program.write(Array(sound.prefix(200_000)))
    try waitUntil("half is written") { again.size("l.wav") == 44 + 100_000 }
    program.signal(SIGUSR1)
    try waitUntil("it is told") { (try? again.text("log").contains("\"segment\"")) ?? false }
    try program.write(Array(sound.dropFirst(200_000)))
    program.closeInput()
    #expect(try program.wait().status == .exited(0))
    #expect(try verify(again, "l.wav r.wav").isFine)
    let answer = try verify(again, "l.2.wav r.2.wav")
    #expect(answer.isFine)
    #expect(answer.firstFrame == (again.size("l.wav") - 44) / 2)
  }

  @Test("an ear is not dead whose file is nothing but a gap that was told of")
  func onlyGap() throws {
    let shop = try Workshop()
    let record = try recorder(shop, [(64_000, 200_000)])
    try shop.run("\(record) --segment 4s -l l-%i.wav -r r-%i.wav", expecting: 1)
    #expect(try verify(shop, "l-0002.wav r-0002.wav").findings == [])
    #expect(
      try shop.run("splitcap verify -q l-0002.wav r-0002.wav", expecting: 1).text
        == "wrong: the left ear is dead: nothing but zeros\n"
        + "wrong: the right ear is dead: nothing but zeros\n")
  }

  @Test("of several runs in one file, the last one that wrote the files is meant")
  func appended() throws {
    let shop = try Workshop()
    try shop.run(
      """
      \(try recorder(shop, [(1_000, 100)])) -l l.wav -r r.wav
      \(try recorder(shop, [(2_000, 200)])) --frames 90000 -l other-l.wav -r other-r.wav
      # Of a run that was killed there is no end.
      sed -i '${/"end"/d}' log
      \(try recorder(shop, [(3_000, 300)])) --no-clobber -l last-l.wav -r last-r.wav
      \(try recorder(shop, [(4_000, 400)])) --segment 4s -l s-l-%i.wav -r s-r-%i.wav
      \(try recorder(shop, [(5_000, 500)])) -l l.wav -r r.wav
      """, expecting: 1)
    let starts = try events(shop).named("start").map { $0.text("start_time") }
    #expect(starts.count == 5)
    for (files, gap, run) in [
      ("l.wav r.wav", [5_000, 500], 4), ("other-l.wav other-r.wav", [2_000, 200], 1),
      ("last-l.wav last-r.wav", [3_000, 300], 2), ("s-l-0001.wav s-r-0001.wav", [4_000, 400], 3),
    ] {
      let answer = try verify(shop, files)
      #expect(answer.findings == [], "\(files)")
      #expect(answer.gaps == [gap], "\(files)")
      #expect(answer.start == starts[run], "\(files)")
    }
    // Files that no run names; one run alone needs no names.
    try shop.run("cp other-l.wav x.wav; cp other-r.wav y.wav", expecting: 0)
    for files in ["x.wav y.wav", "l.wav other-r.wav"] {
      try shop.expectRefusal(
        3, "'log' tells of 5 recordings, and of none that wrote both", hint: "a file of their own",
        of: "splitcap verify --events log \(files)")
    }
    try shop.run("sed -i '/\"gap\",\"frame\":2000,/!d' log", expecting: 0)
    #expect(try verify(shop, "x.wav y.wav").gaps == [[2_000, 200]])
  }

  @Test("files of one name in several folders are told apart by these, or not at all")
  func folders() throws {
    let shop = try Workshop()
    for (day, gap) in [("31", 1_000), ("30", 2_000)] {
      let record = try recorder(shop, [(gap, 100)])
      try shop.run(
        "mkdir -p home/\(day); cd home; \(record) -l \(day)/l.wav -r \(day)/r.wav", expecting: 1)
    }
    let home = shop.folder("home")
    #expect(try verify(shop, "\(home)/31/l.wav \(home)/31/r.wav", in: "/").gaps == [[1_000, 100]])
    #expect(try verify(shop, "\(home)/30/l.wav \(home)/30/r.wav", in: "/").gaps == [[2_000, 100]])
    try shop.run("mkdir moved; mv home/31 moved", expecting: 0)
    #expect(try verify(shop, "moved/31/l.wav moved/31/r.wav").gaps == [[1_000, 100]])
    try shop.run("mv moved/31/?.wav moved", expecting: 0)
    try shop.expectRefusal(
      3, "'log' tells of more than one pair of files", hint: "as the recording did",
      of: "splitcap verify --events log moved/l.wav moved/r.wav")
  }

  @Test("events that were left out, and events of no recording, say so")
  func missing() throws {
    let shop = try Workshop()
    try shop.run("\(try recorder(shop, [(1_000, 100)])) -l l.wav -r r.wav", expecting: 1)
    try shop.run("mv l.wav 1.wav; mv r.wav 2.wav", expecting: 0)
    #expect(try verify(shop, "1.wav 2.wav").isFine)
    try shop.run("sed -i 's/^{\"event\":\"end\",/&\"events_left_out\":2,/' log", expecting: 0)
    #expect(try verify(shop, "1.wav 2.wav").findings == ["events-missing"])
    for text in ["", "\n", "{\"event\":\"lost\",\"frame\":0}\n", "{\"event\":\"sta"] {
      try shop.folder.write(text, to: "log")
      try shop.expectRefusal(
        3, "'log' tells of no recording", hint: "--events FILE",
        of: "splitcap verify --events log 1.wav 2.wav")
    }
    for text in [
      #"{"event":"segment","files":[]}"#,
      #"{"event":"segment","first_frame":0,"files":[{"path":"1.wav","frames":5}]}"#,
      #"{"event":"segment","first_frame":0,"files":[{"path":"1.wav","first_frame":-1,"frames":5}]}"#,
    ] {
      try shop.folder.write(text + "\n", to: "log")
      try shop.expectRefusal(
        3, "'log' is no events file: line 1: a ", hint: "--events FILE",
        of: "splitcap verify --events log 1.wav 2.wav")
    }
  }

  @Test("a file of many runs and names is read in memory that does not grow with it")
  func flatMemory() throws {
    let shop = try Workshop()
    try shop.run("splitcap -q -i in.wav -l l.wav -r r.wav --events run", expecting: 0)
    /// Peak memory in KiB.
    func memory(runs: Int) throws -> Int {
      let name = String(repeating: "n", count: 10_000)
      let segments = (0..<10).map {
        #"{"event":"segment","first_frame":\#($0),"files":[{"feed":"left","path":"\#($0)\#(name)","#
          + #""first_frame":\#($0),"frames":1},{"feed":"right","path":"l.wav","first_frame":0,"#
          + #""frames":1}]}"#
      }
      let run = ([#"{"event":"start"}"#] + segments).joined(separator: "\n") + "\n"
      try shop.folder.write(String(repeating: run, count: runs) + shop.text("run"), to: "log")
      let script = """
        import os, subprocess
        verify = subprocess.Popen(['splitcap', 'verify', 'l.wav', 'r.wav', '--events', 'log'])
        _, status, usage = os.wait4(verify.pid, 0)
        print(usage.ru_maxrss)
        """
      let outcome = try shop.run("python3 -c \"\(script)\"", expecting: 0)
      #expect(outcome.text.contains("fine: "), "\(outcome.errors)")
      return try #require(outcome.text.split(separator: "\n").last.flatMap { Int($0) })
    }
    // 20 MB of names, of which little may stay.
    #expect(try memory(runs: 200) < memory(runs: 2) + 8_000)
  }
}
