import DetentCore
public import DetentPanel
import DetentTypes

/// The values of a panel in memory that survives its process.
///
/// The loop stores each value before it reports it. `StateStore` writes at most once a
/// second; what a killed process had not written yet is here. The guardian then writes the memory
/// to a file, which the next start reads.
///
/// Synchronization: none; the loop's thread.
public final class KeptValues {
    /// The panel to which the values belong: its controls in their order.
    public let identity: UInt64
    private let words: UnsafeMutableBufferPointer<UInt64>

    /// Set in the word of a value that is known.
    private static let known: UInt64 = 1 << 32

    /// Stores into memory that outlives the panel: a word for each control, all zero.
    ///
    /// - Parameter saved: the values with which the panel starts.
    public init(
        _ plan: PanelPlan, in words: UnsafeMutableBufferPointer<UInt64>, saved: [SavedValue]
    ) {
        identity = Self.identity(of: plan)
        self.words = words
        for entry in saved { store(entry.control, entry.value) }
    }

    /// Takes a report; stores the value if it changed.
    @inline(__always)
    func note(_ report: Report) {
        if case .changed(let value, _) = report.kind { store(report.control, value) }
    }

    private func store(_ control: ControlID, _ value: Value) {
        let place = Int(control.index)
        guard place < words.count else { return }
        words[place] = Self.known | UInt64(UInt32(bitPattern: value.raw))
    }

    // MARK: The file

    /// The name of the file that the guardian writes, in the folder of the values.
    public static func name(of plan: PanelPlan) -> String { SavedFile.name(of: plan) + ".crash" }

    /// Reads a file of the guardian; nil if it belongs to another panel, or is damaged.
    ///
    /// Any bytes are safe. Values that a control cannot have are left out.
    static func read(_ bytes: [UInt8], of plan: PanelPlan) -> [SavedValue]? {
        let head = 3
        guard bytes.count == 8 * (head + plan.controls.count), bytes.starts(with: "detentk1".utf8)
        else { return nil }
        let words = stride(from: 0, to: bytes.count, by: 8).map { place in
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt64.self) }
        }
        guard words[1] == identity(of: plan), words[2] == UInt64(plan.controls.count) else {
            return nil
        }
        return plan.controls.indices.compactMap { place in
            let control = plan.controls[place]
            let word = words[head + place]
            guard control.isKept, word >> 32 == 1 else { return nil }
            let value = Value(Int32(truncatingIfNeeded: word))
            guard control.savedWord(of: value) != nil else { return nil }
            return SavedValue(control: ControlID(UInt16(clamping: place)), value: value)
        }
    }

    /// What gives a number its meaning.
    private static func identity(of plan: PanelPlan) -> UInt64 {
        var text = plan.name
        for control in plan.controls {
            text += "\n" + control.id + ":" + control.valueNames.words.joined(separator: "|")
        }
        return FNV1a.sum(text.utf8)
    }
}
