import DetentPanel
import TestSupport
import Testing

/// Text in the columns of a terminal.
@Suite struct ColumnsTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("größe", 5), ("電源", 4), ("가", 2), ("ｱ", 1), ("Ａ", 2), ("🚀", 2),
        ("e\u{301}", 1), ("\u{301}", 0), ("\u{20DD}", 0), ("\u{1F321}", 2), ("✓", 1), ("✅", 2),
    ])
    func lettersHaveWidths(text: String, columns: Int) {
        expectEqual(Columns.count(text), columns)
    }

    @Test(arguments: [
        ("abc", 5, "abc  "), ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abc", 1, "…"),
        ("abc", 0, ""), ("", 0, ""), ("", 2, "  "), ("電源", 4, "電源"), ("電源", 3, "電…"),
        ("電源", 2, "… "), ("電源", 5, "電源 "), ("a電b", 3, "a… "), ("e\u{301}fg", 2, "e\u{301}…"),
    ])
    func textsAreCutOrPadded(text: String, width: Int, fitting: String) {
        expectEqual(Columns.fit(text, width), fitting)
        expectEqual(Columns.count(Columns.fit(text, width)), width)
    }
}
