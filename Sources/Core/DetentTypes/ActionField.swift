#if !hasFeature(Embedded)
    /// One key of an action and its value, as a panel file has them and as its runner gets them.
    public struct ActionField: Equatable, Sendable {
        /// The value of a key.
        public enum Content: Equatable, Sendable {
            case text(String)
            case texts([String])
            case pairs([TextPair])
            case integer(Int)
            case boolean(Bool)
            case duration(TimeSpan)
        }

        /// The key; `confirm.pointer` for the key `pointer` of the map `confirm`.
        public var name: String
        /// Its value.
        public var content: Content

        /// Makes a field.
        public init(_ name: String, _ content: Content) {
            self.name = name
            self.content = content
        }
    }

    /// A name and a text, such as a header.
    public struct TextPair: Equatable, Sendable {
        /// The name.
        public var name: String
        /// The text.
        public var text: String

        /// Makes a pair.
        public init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }
    }

    extension [ActionField] {
        /// The value of a key; nil if the action does not have it.
        public subscript(name: String) -> ActionField.Content? {
            first { $0.name == name }?.content
        }

        /// The text of a key; nil if the action does not have it, or if it is no text.
        public func text(_ name: String) -> String? {
            guard case .text(let text)? = self[name] else { return nil }
            return text
        }
    }
#endif
