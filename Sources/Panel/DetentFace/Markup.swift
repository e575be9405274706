/// Writes elements of XML, one a line, indented.
struct Markup {
    private(set) var text = ""
    private var depth = 0

    mutating func line(_ words: String) {
        text += String(repeating: "  ", count: depth) + words + "\n"
    }

    mutating func open(_ name: String, _ attributes: [(String, String)]) {
        line("<\(name)\(Self.words(attributes))>")
        depth += 1
    }

    mutating func close(_ name: String) {
        depth -= 1
        line("</\(name)>")
    }

    mutating func empty(_ name: String, _ attributes: [(String, String)]) {
        line("<\(name)\(Self.words(attributes))/>")
    }

    mutating func element(_ name: String, _ attributes: [(String, String)], _ content: String) {
        line("<\(name)\(Self.words(attributes))>\(Self.escaped(content))</\(name)>")
    }

    /// Begins a drawing of a size in millimetres.
    mutating func open(width: Double, height: Double) {
        let (width, height) = (FaceDrawing.number(width), FaceDrawing.number(height))
        open(
            "svg",
            [
                ("xmlns", "http://www.w3.org/2000/svg"), ("width", "\(width)mm"),
                ("height", "\(height)mm"), ("viewBox", "0 0 \(width) \(height)"),
            ])
    }

    mutating func rectangle(_ name: String, _ area: Face.Area) {
        empty(
            "rect",
            [
                ("class", name), ("x", FaceDrawing.number(area.x)),
                ("y", FaceDrawing.number(area.y)),
                ("width", FaceDrawing.number(area.width)),
                ("height", FaceDrawing.number(area.height)),
            ])
    }

    mutating func circle(_ name: String, x: Double, y: Double, radius: Double) {
        empty(
            "circle",
            [
                ("class", name), ("cx", FaceDrawing.number(x)), ("cy", FaceDrawing.number(y)),
                ("r", FaceDrawing.number(radius)),
            ])
    }

    private static func words(_ attributes: [(String, String)]) -> String {
        attributes.map { " \($0)=\"\(escaped($1))\"" }.joined()
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for letter in text.unicodeScalars {
            switch letter {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // What XML allows in no form.
            case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
                escaped += "\u{FFFD}"
            case _: escaped.unicodeScalars.append(letter)
            }
        }
        return escaped
    }
}
