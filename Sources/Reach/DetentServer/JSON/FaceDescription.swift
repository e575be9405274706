import DetentFace
import DetentPanel

/// A face as JSON: lengths in millimetres from the top left corner of the plate.
struct FaceDescription {
    let fit: FaceFit
    let plan: PanelPlan

    /// The face of a panel that has nothing on its plate.
    static let none: JSONValue = [
        "scale": 1, "width": 0, "height": 0, "groups": [],
        "forms": [],
    ]

    var json: JSONValue {
        let face = fit.face
        return [
            "scale": Self.number(fit.scale), "width": Self.number(face.width),
            "height": Self.number(face.height), "groups": .array(face.groups.map(group)),
            "forms": .array(
                face.forms.map { ["name": .string($0.name), "area": Self.area($0.area)] }),
        ]
    }

    private func group(_ group: Face.Group) -> JSONValue {
        [
            "name": .text(group.name), "area": Self.area(group.area),
            "cells": .array(group.cells.map(cell)),
        ]
    }

    private func cell(_ cell: Face.Cell) -> JSONValue {
        let labels = fit.face.labels.filter { $0.control == cell.control }
        let placements = fit.face.placements.filter { $0.control == cell.control }
        let label = labels.first { $0.size == .control }
        let lamps = placements.filter { $0.part.family == .lamp }
        let options = labels.filter { $0.size == .option }
        return [
            "control": .string(plan.controls[cell.control].id), "area": Self.area(cell.area),
            "core": Self.area(cell.core),
            "part": .string(cell.part.family == .lamp ? "lamp" : cell.part.word),
            "columns": .whole(cell.columns),
            "window": cell.window.map(Self.area) ?? .null,
            "label": label.map { Self.area($0.area) } ?? .null,
            "lines": .strings(label?.lines ?? []),
            "lamps": .array(lamps.map { Self.area($0.area) }),
            "options": .array(options.map { Self.area($0.area) }),
        ]
    }

    private static func area(_ area: Face.Area) -> JSONValue {
        .array([area.x, area.y, area.width, area.height].map(number))
    }

    /// A length with three decimals.
    private static func number(_ length: Double) -> JSONValue {
        .number(DecimalNumber.text(units: Int64((length * 1_000).rounded()), decimals: 3))
    }
}
