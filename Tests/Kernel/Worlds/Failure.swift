/// Why a world cannot be made, or differs.
struct Failure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
