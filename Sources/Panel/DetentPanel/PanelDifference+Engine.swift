public import DetentCore
public import DetentTypes

extension PanelDifference {
    /// Makes the engine of the new panel, with everything that continues from the former engine.
    ///
    /// Pass readings and the event `start` to it next, as `Engine.follow` says.
    ///
    /// - Throws: `EngineError` if the plan exceeds a limit that its reader should have reported.
    public func makeEngine(
        of plan: PanelPlan, in storage: borrowing EngineStorage, following former: borrowing Engine
    ) throws(EngineError) -> Engine {
        var engine = try plan.makeEngine(in: storage)
        engine.adopt(former)
        // The typed throw of a closure cannot consume the engine, so buffers are copied here.
        let places = [controlPlaces + formerGestures(plan), actionPlaces].map { list in
            let buffer = UnsafeMutableBufferPointer<UInt16>.allocate(capacity: max(list.count, 1))
            _ = buffer.initialize(from: list)
            return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer)[..<list.count])
        }
        defer { for buffer in places { buffer.baseAddress?.deallocate() } }
        for (place, control) in controls.enumerated() {
            guard let old = control.former, !control.continuity.isEmpty else { continue }
            try engine.continueControl(
                ControlID(UInt16(place)), as: old, of: former, control.continuity,
                Engine.Places(controls: places[0], actions: places[1]))
        }
        for (place, old) in gestures.enumerated() {
            guard let old else { continue }
            try engine.continueControl(
                ControlID(UInt16(plan.controls.count + place)),
                as: ControlID(UInt16(controlPlaces.count + old)), of: former, .everything,
                Engine.Places(controls: places[0], actions: places[1]))
        }
        return engine
    }

    /// Where the former gestures are in the new engine.
    private func formerGestures(_ plan: PanelPlan) -> [UInt16] {
        let count = (gestures.compactMap(\.self).max() ?? -1) + 1
        var places = [UInt16](repeating: Engine.Places.nowhere, count: count)
        for (place, old) in gestures.enumerated() {
            if let old { places[old] = UInt16(plan.controls.count + place) }
        }
        return places
    }

    /// The values that controls which start again had, in the words of the new panel, and what did
    /// not survive: what `startup: saved` finds.
    public func savedValues(
        of former: PanelPlan, in plan: PanelPlan, value: (ControlID) -> Value?
    ) -> SavedFile.Reading {
        values(of: former, in: plan, where: { !$0.contains(.value) }, value: value)
    }

    /// The values of the former panel in the words of the new one, and what did not survive.
    ///
    /// - Parameter isWanted: of which controls, by what continues of them.
    public func values(
        of former: PanelPlan, in plan: PanelPlan,
        where isWanted: (Continuity) -> Bool = { _ in true },
        value: (ControlID) -> Value?
    ) -> SavedFile.Reading {
        var reading = SavedFile.Reading()
        for (place, control) in controls.enumerated() where isWanted(control.continuity) {
            guard let old = control.former, let shown = value(old), shown != .unknown,
                let word = former[old].savedWord(of: shown)
            else { continue }
            reading.add(plan.controls[place].id, word, of: plan)
        }
        return reading
    }
}
