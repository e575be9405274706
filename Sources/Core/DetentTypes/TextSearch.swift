#if !hasFeature(Embedded)
    /// Searching a text for a text.
    ///
    /// The standard library has these in a module whose parser of regular expressions and names of
    /// characters would be 1.3 MB of the program. Texts are equal here when their UTF-8 is: `é` as
    /// one scalar is not found in `e` with an accent.
    extension String {
        /// Where `other` is found first; nil if it is not, and if it is empty.
        ///
        /// - Complexity: O(n × m), and O(n) for texts without many beginnings of `other`.
        public func firstRange(of other: String) -> Range<Index>? {
            self[...].firstRange(of: other)
        }

        /// Whether `other` is found; an empty text is found in every other.
        public func contains(_ other: String) -> Bool {
            self[...].contains(other)
        }

        /// The text with `new` in place of each `old`, from the left, without overlaps.
        ///
        /// What was put in is not searched again. An empty `old` changes nothing.
        public func replacing(_ old: String, with new: String) -> String {
            var result = ""
            var rest = self[...]
            while let found = rest.firstRange(of: old) {
                result += rest[..<found.lowerBound]
                result += new
                rest = rest[found.upperBound...]
            }
            return result + rest
        }
    }

    extension Substring {
        /// Where `other` is found first; nil if it is not, and if it is empty.
        public func firstRange(of other: String) -> Range<Index>? {
            guard let first = other.utf8.first else { return nil }
            var start = utf8.startIndex
            while let candidate = utf8[start...].firstIndex(of: first) {
                if utf8[candidate...].starts(with: other.utf8) {
                    return candidate..<utf8.index(candidate, offsetBy: other.utf8.count)
                }
                start = utf8.index(after: candidate)
            }
            return nil
        }

        /// Whether `other` is found; an empty text is found in every other.
        public func contains(_ other: String) -> Bool {
            other.isEmpty || firstRange(of: other) != nil
        }
    }
#endif
