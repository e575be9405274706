import DetentTypes
import Synchronization

/// The secrets that this process has read, so that no text from outside shows them.
///
/// A device, a service or a program can repeat a secret in any text: an answer, a message, an
/// error. Each text that comes from outside and enters the log goes through `hide` or `excerpt`,
/// before it is cut: the beginning of a secret is not shown either.
package final class KnownSecrets: Sendable {
    /// Those of this process.
    package static let ofThisProcess = KnownSecrets()

    private let words = Mutex<[[UInt8]]>([])

    /// Knows no secret.
    package init() {}

    /// Learns a secret, and the forms in which a text may repeat it.
    ///
    /// One of fewer than `ActionLimits.shortestSecret` bytes is not learned, as it would tear up
    /// every text. At `ActionLimits.knownSecrets`, the oldest are forgotten.
    package func learn(_ secret: String) {
        let forms = Self.forms(of: secret)
        words.withLock { words in
            for form in forms where !words.contains(form) { words.append(form) }
            words.removeFirst(max(0, words.count - ActionLimits.knownSecrets))
        }
    }

    /// As it is, in an address, in a text of JSON, and each of its lines.
    private static func forms(of secret: String) -> [[UInt8]] {
        var texts = [
            secret, secret.percentEncoded(except: HTTPCall.signs),
            secret.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""),
        ]
        texts += secret.split(whereSeparator: \.isNewline).map(String.init)
        var forms: [[UInt8]] = []
        for text in texts {
            let form = Array(text.utf8)
            if form.count >= ActionLimits.shortestSecret, !forms.contains(form) {
                forms.append(form)
            }
        }
        return forms
    }

    /// The text with `…` in the place of each secret.
    package func hide(_ text: String) -> String { excerpt(text, letters: .max) }

    /// The first letters of a text with `…` in the place of each secret.
    ///
    /// A secret of which the text has only the beginning, because it was cut there, is hidden too.
    package func excerpt(_ text: String, letters: Int) -> String {
        let words = words.withLock { $0 }
        guard !words.isEmpty else {
            return String(String.UnicodeScalarView(text.unicodeScalars.prefix(letters)))
        }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var shown = 0
        var place = 0
        while place < bytes.count, shown < letters {
            if let length = Self.secret(at: place, of: bytes, words) {
                result += "…".utf8
                place += length
            } else {
                result.append(bytes[place])
                place += 1
                // The rest of a letter.
                while place < bytes.count, bytes[place] & 0xC0 == 0x80 {
                    result.append(bytes[place])
                    place += 1
                }
            }
            shown += 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The length of the longest secret at a place, or of its beginning at the end of the text.
    private static func secret(at place: Int, of bytes: [UInt8], _ words: [[UInt8]]) -> Int? {
        let rest = bytes[place...]
        var longest: Int?
        for word in words where word.first == rest.first {
            let isCut = rest.count < word.count && rest.count >= ActionLimits.shownOfSecret
            guard isCut ? word.starts(with: rest) : rest.starts(with: word) else { continue }
            longest = max(longest ?? 0, min(word.count, rest.count))
        }
        return longest
    }
}
