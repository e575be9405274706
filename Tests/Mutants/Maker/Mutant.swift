/// One change of one place.
struct Mutant {
    var number: Int
    var line: Int
    /// The types and the function around the place.
    var declaration: String
    var original: String
    var changed: String
    /// Which of the changes of this text in this declaration: 1 for the first.
    var repetition = 1

    /// What finds the mutant again after lines have moved.
    func key(file: String) -> String {
        let again = repetition > 1 ? " #\(repetition)" : ""
        return "\(file) \(declaration): `\(original)` -> `\(changed)`\(again)"
    }
}
