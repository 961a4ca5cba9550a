/// Words that a user may have meant.
package enum Nearest {
  /// The words of `candidates` that are near to `word`, nearest first, at most three.
  ///
  /// Near means that at most a third of the letters of the longer word differ (two in a short word,
  /// since swapped letters are two), or that `word` is the start of the other.
  ///
  /// - Complexity: O(*n* · *m*²) in candidates and letters.
  package static func words(to word: String, in candidates: [String]) -> [String] {
    let letters = Array(word.lowercased())
    var near: [(distance: Int, word: String)] = []
    for candidate in candidates {
      let other = Array(candidate.lowercased())
      let distance = distance(letters, other)
      let isStart = letters.count >= 3 && other.starts(with: letters)
      let length = max(letters.count, other.count)
      if isStart || distance <= max(length / 3, min(2, length / 2)) {
        near.append((isStart ? 0 : distance, candidate))
      }
    }
    return near.sorted { $0.distance < $1.distance }.prefix(3).map(\.word)
  }

  /// Letters to insert, delete or replace: the Levenshtein distance, one row at a time.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var row = Array(0...b.count)
    for i in a.indices {
      var diagonal = row[0]
      row[0] = i + 1
      for j in b.indices {
        let replaced = diagonal + (a[i] == b[j] ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
      }
    }
    return row[b.count]
  }
}
