extension Schema {
    /// Keys of a display.
    static let displayKeys: [KeySpec] = [
        KeySpec(
            .display, "charlcd", .text,
            "The device of a character display, such as `/dev/lcd`: the kernel's `hd44780` or "
                + "`charlcd` drivers."),
        KeySpec(
            .display, "framebuffer", .text,
            "The device of a screen of dots, such as `/dev/fb1`. The letters are as large as "
                + "`columns` and `rows` allow."),
        KeySpec(
            .display, "file", .text,
            "The file of a row of digits or letters, such as "
                + "`/sys/bus/i2c/devices/1-0070/linedisp.0/message`: the kernel's `ht16k33` and "
                + "other `linedisp` drivers."),
        KeySpec(
            .display, "run", .arguments,
            "A program that reads a line for each new text from its standard input. A tab "
                + "separates the rows."),
        KeySpec(
            .display, "columns", .integer(Limits.displayColumns),
            default: "\(Defaults.displayColumns); \(Defaults.displayDigits) for a `file`",
            "Letters in a row."),
        KeySpec(
            .display, "rows", .integer(Limits.displayRows),
            default: "\(Defaults.displayRows); 1 for a `file`",
            "Rows of letters; not with `file`."),
        KeySpec(
            .display, "return-after", milliseconds(0, 3_600_000),
            default: .value(Defaults.displayReturn),
            "A display of several controls shows the one that was touched last. This long after "
                + "the touch it returns to the first one of the file; `0s`: never."),
    ]
}
