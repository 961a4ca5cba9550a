import Foundation

/// A terminal for a program to write to, and what a person would see on it.
public final class PseudoTerminal: Sendable {
  /// Columns of the terminal.
  public let columns: Int
  private let programEnd: FileHandle
  private let collector: Collector

  /// Makes a terminal.
  public init(columns: Int = 80) throws {
    self.columns = columns
    // Not inherited by programs that other tests start in between, which would hold it open.
    (programEnd, collector) = try Tube.descriptors.withLock {
      let ours = try Tube.open("/dev/ptmx", O_RDWR | O_NOCTTY)
      let descriptor = ours.fileDescriptor
      // TIOCSPTLCK and TIOCGPTN of Linux, which Swift does not see: unlock, and ask the number.
      var lock: Int32 = 0
      var number: UInt32 = 0
      guard unsafe ioctl(descriptor, 0x4004_5431, &lock) == 0,
        unsafe ioctl(descriptor, 0x8004_5430, &number) == 0
      else { throw LabError("no pseudo terminal: errno \(errno)") }
      var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
      guard unsafe ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0 else {
        throw LabError("the pseudo terminal has no size: errno \(errno)")
      }
      return (
        try Tube.open("/dev/pts/\(number)", O_RDWR | O_NOCTTY),
        Collector(ours)
      )
    }
    collector.start()
  }

  /// The end that a program gets.
  public var output: Program.Output { .descriptor(programEnd.fileDescriptor) }

  /// All that was written so far, with the codes that move the cursor.
  public var written: String { String(decoding: collector.bytes, as: UTF8.self) }

  /// The lines that are on the screen now, without those that are empty.
  ///
  /// It knows the codes that a meter needs: return, new line, one line up, clear to the end of the
  /// line, and colours, which it leaves out.
  public var screen: [String] {
    var screen = Screen(columns: columns)
    screen.write(written)
    return screen.text
  }

  /// Waits until all that was written has been read, once no program has the terminal any more.
  public func finish() throws {
    try programEnd.close()
    guard collector.wait(within: .seconds(30)) else {
      throw LabError("something holds the terminal open")
    }
  }
}

/// Characters on a grid, and a cursor.
private struct Screen {
  let columns: Int
  private var lines: [[Character]] = [[]]
  private var row = 0
  private var column = 0

  init(columns: Int) { self.columns = columns }

  var text: [String] { lines.map { String($0) }.filter { !$0.isEmpty } }

  mutating func write(_ text: String) {
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\r": column = 0
      case "\n": newLine()
      case "\u{1B}": control(&rest)
      default: put(Character(scalar))
      }
    }
  }

  private mutating func newLine() {
    row += 1
    if row == lines.count { lines.append([]) }
  }

  private mutating func put(_ character: Character) {
    if column == columns {
      column = 0
      newLine()
    }
    while lines[row].count <= column { lines[row].append(" ") }
    lines[row][column] = character
    column += 1
  }

  private mutating func control(_ rest: inout String.UnicodeScalarView.SubSequence) {
    guard rest.popFirst() == "[" else { return }
    var number = ""
    while let scalar = rest.popFirst() {
      switch scalar {
      case "0"..."9", ";": number.unicodeScalars.append(scalar)
      case "A":
        row = max(0, row - (Int(number) ?? 1))
        return
      case "K":
        lines[row] = Array(lines[row].prefix(column))
        return
      default: return
      }
    }
  }
}
