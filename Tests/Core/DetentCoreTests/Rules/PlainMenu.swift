import DetentTypes

@testable import DetentCore

/// A menu as a tree of lists, and a path of places in it; what it tells is worked out anew from all
/// inputs since the start.
struct PlainMenu {
    enum Input: Equatable {
        case up
        case down
        case select
        case back
    }

    enum Style: Equatable {
        case menu
        case focus
        case followTurn
    }

    let style: Style
    let count: Int
    /// The item in whose submenu each stands; nil: the menu itself.
    let parents: [Int?]
    let submenus: Set<Int>
    /// One button goes round; the others are held at the ends.
    let goesRound: Bool
    /// Nanoseconds; 0: never, but at once for what follows a turn.
    let closeAfter: UInt64
    /// The option where it opens, for those without items.
    let opensAt: ([(UInt64, Int)]) -> Int

    /// The items of the list in which the children of `parent` stand.
    private func list(of parent: Int?) -> [Int] {
        (0..<count).filter { parents[$0] == parent }
    }

    /// Everything told until `end`, and what has the focus then.
    func told(
        _ inputs: [(at: UInt64, what: Input)], until end: UInt64
    ) -> (log: [String], focus: Int?) {
        var log: [String] = []
        var chosen: [(UInt64, Int)] = []
        var rest = inputs[...]
        func tell(_ at: UInt64, _ text: String) {
            log.append("\(Words.time(Instant(nanoseconds: at))) \(text)")
        }
        while let first = rest.first {
            rest = rest.dropFirst()
            // What opens a menu is a press, and what opens the others is a turn.
            guard (first.what == .select) == (style == .menu), first.what != .back else { continue }
            var path: [Int] = []
            var list = list(of: nil)
            guard var focus = items ? list.first : opensAt(chosen) else { continue }
            tell(first.at, "opened")
            if first.what != .select { focus = next(focus, first.what, in: list) }
            tell(first.at, "focused \(focus)")
            var last = first.at
            var isOpen = true
            while isOpen {
                let closesAt = closeAfter == 0 && style != .followTurn ? .max : last + closeAfter
                guard let input = rest.first, input.at < closesAt else {
                    guard closesAt <= end else { return (log, focus) }
                    tell(closesAt, "closed")
                    if style == .followTurn { choose(closesAt, focus, &chosen, tell) }
                    isOpen = false
                    continue
                }
                rest = rest.dropFirst()
                last = input.at
                let before = focus
                switch input.what {
                case .up, .down:
                    focus = next(focus, input.what, in: list)
                case .back:
                    if let parent = path.popLast() {
                        focus = parent
                        list = self.list(of: path.last)
                    } else {
                        tell(input.at, "closed")
                        isOpen = false
                        continue
                    }
                case .select where submenus.contains(focus):
                    let inside = self.list(of: focus)
                    if let first = inside.first {
                        path.append(focus)
                        list = inside
                        focus = first
                    }
                case .select:
                    choose(input.at, focus, &chosen, tell)
                    if let parent = path.popLast() {
                        focus = parent
                        list = self.list(of: path.last)
                    } else if style != .focus {
                        tell(input.at, "closed")
                        isOpen = false
                        continue
                    }
                }
                if focus != before { tell(input.at, "focused \(focus)") }
            }
        }
        return (log, nil)
    }

    private var items: Bool { style == .menu && !parents.isEmpty && hasItems }
    /// Commands have items; a pop-up has options.
    let hasItems: Bool

    private func next(_ focus: Int, _ input: Input, in list: [Int]) -> Int {
        guard let place = list.firstIndex(of: focus) else { return focus }
        let wanted = place + (input == .down ? 1 : -1)
        if list.indices.contains(wanted) { return list[wanted] }
        return goesRound ? list[0] : focus
    }

    private func choose(
        _ at: UInt64, _ item: Int, _ chosen: inout [(UInt64, Int)], _ tell: (UInt64, String) -> Void
    ) {
        chosen.append((at, item))
        tell(at, "chose \(item)")
    }
}
