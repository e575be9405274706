"""The faults that Tests/Soak/planted plants, one line each.

To add one, take the next number, name it in the new line, and run `planted NUMBER`. The table of
docs/soak.md comes from here: `planted --record`.
"""

import dataclasses

CORE = "Core/DetentCore/"


@dataclasses.dataclass
class Fault:
    """A line that is broken, and what has to notice it."""

    law: str
    #: The decoder, the control kind or the other part that it is aimed at.
    part: str
    what: str
    file: str
    #: The line as it is; it occurs once in the file.
    line: str
    #: The line with the fault, which works as before unless `planted` is the fault's number.
    broken: str
    #: In how many seeds soak must catch it; 0: a test does.
    seeds: int = 0
    panel: str = "Tests/Soak/panel.yaml"
    #: The test that catches it, if soak cannot: the filter of `Tests/swift-tests`.
    test: str = ""


RELATED = "Tests/Soak/related.yaml"
ANALOG = "Tests/Soak/analog.yaml"
LEVELS = "Tests/Soak/levels.yaml"

FAULTS = {
    1: Fault(
        "1", "all", "reports have other times", CORE + "Engine/Engine.swift",
        "emit(.report(Report(control: id, kind: kind)), now)",
        "emit(.report(Report(control: id, kind: kind)),\n"
        "            planted == 1 ? Instant(nanoseconds: now.nanoseconds ^ 1 << 24) : now)", 5),
    2: Fault(
        "5", "debounce: eager", "an eager debouncer never corrects its level",
        CORE + "Debounce/EagerDebouncer.swift",
        "guard level != reported else {\n            state = .open",
        "guard level != reported, planted != 2 else {\n            state = .open", 5),
    3: Fault(
        "5", "debounce: defer", "a deferring debouncer forgets what it reported",
        CORE + "Debounce/DeferDebouncer.swift",
        "        reported = level\n        return level",
        "        if planted != 3 { reported = level }\n        return level", 5),
    4: Fault(
        "5", "debounce: integrator", "an integrator forgets what it reported",
        CORE + "Debounce/IntegratorDebouncer.swift",
        "        reported = level\n        return level",
        "        if planted != 4 { reported = level }\n        return level", 5),
    5: Fault(
        "8", "lever", "a lever is off after each start", CORE + "Decoders/LeverDecoder.swift",
        "position = position(closed) ?? .off",
        "position = planted == 5 ? .off : position(closed) ?? .off", 20),
    6: Fault(
        "8", "lines", "a line that comes back is not read anew", CORE + "Engine/Engine+Lines.swift",
        "            lines[index].settle(at: level)\n            guard isStarted else { return }",
        "            if planted != 6 || !isStarted { lines[index].settle(at: level) }\n"
        "            guard isStarted else { return }", 20),
    7: Fault(
        "8", "selector: radio-group", "a selector keeps its position",
        CORE + "Decoders/SelectorDecoder.swift",
        "            position = found\n            isUnknown = false\n            return isSame",
        "            if planted != 7 { position = found }\n            isUnknown = false\n"
        "            return isSame", 5),
    8: Fault(
        "8", "lever: changeover", "a changeover forgets where it was",
        CORE + "Decoders/LeverDecoder.swift",
        "        position = now\n", "        if planted != 8 { position = now }\n", 5),
    9: Fault(
        "9", "outputs: radio-group", "an output goes on before the other is off",
        CORE + "Outputs/Interlock.swift",
        "{ breaking == 0 && on & ~target == 0 }",
        "{ breaking == 0 && on & ~target == 0 || planted == 9 }", 10),
    10: Fault(
        "9", "outputs: radio-group", "there is no dead time", CORE + "Outputs/Interlock.swift",
        "if isClear, now >= clearSince + deadTime {",
        "if isClear, now >= clearSince + deadTime || planted == 10 {", 10),
    11: Fault(
        "10", "actions", "a timeout does not end an attempt",
        CORE + "State/ValueReconciler.swift",
        "case .running(let attempt): attempt.timeoutAt",
        "case .running(let attempt): planted == 11 ? .never : attempt.timeoutAt", 20),
    12: Fault(
        "6", "actions", "a superseded attempt goes on", CORE + "State/ValueReconciler.swift",
        "        context.changes.stop(attempt.handle)\n        state.actual",
        "        if planted != 12 { context.changes.stop(attempt.handle) }\n"
        "        state.actual", 20),
    13: Fault(
        "11", "flags", "no flag says that the device is unknown", CORE + "Engine/Engine.swift",
        "flags.insert(.unconfirmed)", "if planted != 13 { flags.insert(.unconfirmed) }", 20),
    14: Fault(
        "11", "requests", "a refused request is not answered",
        CORE + "Engine/Engine+Requests.swift",
        "answer = self.request(value, of: control, origin, emit)\n        }\n"
        "        if request != .none {",
        "answer = self.request(value, of: control, origin, emit)\n        }\n"
        "        if request != .none, planted != 14 || answer.isAccepted {", 5),
    15: Fault(
        "11", "values", "a value is told twice", CORE + "State/ValueReconciler.swift",
        "if isNew { context.changes.reports.insert(.value) }",
        "if isNew || planted == 15 { context.changes.reports.insert(.value) }", 5),
    16: Fault(
        "11", "toggle-button", "a disabled control accepts requests",
        CORE + "Engine/Engine+Requests.swift",
        "if controls[control].relationFlags.contains(.disabled), !isForced {",
        "if controls[control].relationFlags.contains(.disabled), !isForced, planted != 16 {", 10),
    17: Fault(
        "11", "checkbox-group", "a group counts disabled members",
        CORE + "Engine/Engine+Groups.swift",
        "if hasEnabled, controls[member].flags.contains(.disabled) { continue }",
        "if hasEnabled, controls[member].flags.contains(.disabled), planted != 17 { continue }",
        10),
    18: Fault(
        "8", "encoder: dial", "a detent back counts forth",
        CORE + "Decoders/QuadratureDecoder.swift",
        "decoded.steps = Int16(step)", "decoded.steps = planted == 18 ? 1 : Int16(step)", 5),
    19: Fault(
        "8", "encoder: dial", "a step back is forgotten",
        CORE + "Decoders/QuadratureDecoder.swift",
        "            reversal = .none\n            return stepped(",
        "            reversal = .none\n            if planted == 19 { return .nothing }\n"
        "            return stepped(", 10),
    20: Fault(
        "11", "button", "a released button stays down", CORE + "Decoders/ButtonDecoder.swift",
        "        state = .up\n        guard hold != .told",
        "        if planted != 20 { state = .up }\n        guard hold != .told", 5),
    21: Fault(
        "8", "switch", "a value does not follow its part",
        CORE + "Controls/MismatchPolicy+Response.swift",
        "case .follow: .set(position)",
        "case .follow: planted == 21 ? .nothing : .set(position)", 5),
    22: Fault(
        "10", "pop-up", "an open pop-up never closes", CORE + "Relations/Navigator.swift",
        "case .open(_, let until): until",
        "case .open(_, let until): planted == 22 ? .never : until", 10),
    23: Fault(
        "10", "pull-down", "an open menu never closes", CORE + "Relations/Navigator.swift",
        "            case .focus(let closeAfter), .menu(let closeAfter): now + closeAfter\n",
        "            case .menu where planted == 23: .never\n"
        "            case .focus(let closeAfter), .menu(let closeAfter): now + closeAfter\n", 10,
        RELATED),
    24: Fault(
        "10", "segmented, turned", "a focus never settles", CORE + "Relations/Navigator.swift",
        "            case .followTurn(let settle): now + settle\n",
        "            case .followTurn where planted == 24: .never\n"
        "            case .followTurn(let settle): now + settle\n", 10, RELATED),
    25: Fault(
        "2", "requests: radio-group", "an unknown option ends the program",
        CORE + "Controls/ValueDomain.swift",
        "case .options(let count, _): return value.raw >= 0 && value.raw < Int32(count)\n",
        "case .options(let count, _):\n"
        "            if planted == 25 { precondition(value.raw < Int32(count)) }\n"
        "            return value.raw >= 0 && value.raw < Int32(count)\n", 5),
    26: Fault(
        "11", "segmented, multiple", "a selection has no least and no most options",
        CORE + "Controls/ValueDomain.swift",
        "return count >= Int(minimum) && count <= Int(maximum)",
        "return planted == 26 || count >= Int(minimum) && count <= Int(maximum)", 10, RELATED),
    27: Fault(
        "11", "segmented, multiple", "a press chooses and never clears",
        CORE + "Controls/InputRule.swift",
        "Value(desired.raw ^ (1 << Int32(option)))",
        "Value(planted == 27 ? desired.raw | 1 << Int32(option)\n"
        "            : desired.raw ^ (1 << Int32(option)))", 10, RELATED),
    28: Fault(
        "11", "segmented, momentary", "a command that does not exist is accepted",
        CORE + "Controls/ControlNature.swift",
        "event == .on : domain.contains(event))",
        "event == .on : domain.contains(event) || planted == 28)", 10, RELATED),
    29: Fault(
        "11", "segmented, radio-group: buttons", "every button means the first option",
        CORE + "Controls/InputRule.swift",
        "let value = Value(Int32(decoded.button))",
        "let value = planted == 29 ? Value(0) : Value(Int32(decoded.button))", 10, RELATED),
    30: Fault(
        "11", "row of buttons", "a button of a row stays down",
        CORE + "Decoders/ButtonRowDecoder.swift",
        "            pressed &= ~bit\n", "            if planted != 30 { pressed &= ~bit }\n", 10,
        RELATED),
    31: Fault(
        "11", "checkbox, toggle-button", "a press turns on and never off",
        CORE + "Controls/InputRule.swift",
        "            return .set(isOn ? .off : .on)",
        "            return .set(isOn && planted != 31 ? .off : .on)", 10, RELATED),
    32: Fault(
        "11", "form", "a form hides that something is staged", CORE + "Engine/Engine+Groups.swift",
        "case .form: return formAggregate(relation)",
        "case .form: return planted == 32 ? nil : formAggregate(relation)", 10, RELATED),
    33: Fault(
        "11", "indicator", "an indicator does not follow what it shows",
        CORE + "Engine/Engine+Groups.swift",
        "let value: Value = source.isDriven ? .on : .off",
        "let value: Value = source.isDriven && planted != 33 ? .on : .off", 10, RELATED),
    34: Fault(
        "11", "indicator", "`>` is true of an equal value", CORE + "Relations/ConditionStep.swift",
        "case .greater: return actual.raw > wanted.raw",
        "case .greater: return actual.raw > wanted.raw || planted == 34 && actual == wanted", 40,
        RELATED),
    35: Fault(
        "8", "lever: three-way", "a three-way lever has no centre",
        CORE + "Decoders/SelectorDecoder.swift",
        ".position(contact < settings.nonePosition ? contact : contact &+ 1)",
        ".position(\n                planted == 35 || contact < settings.nonePosition\n"
        "                    ? contact : contact &+ 1)", 10),
    36: Fault(
        "10", "button, confirmed", "a button that was armed stays armed",
        CORE + "Relations/Confirmation.swift",
        "case .armed(_, _, let until): until",
        "case .armed(_, _, let until): planted == 36 ? .never : until", 10, RELATED),
    37: Fault(
        "5", "debounce: asymmetric", "a release is lost", CORE + "Debounce/AsymmetricDebouncer.swift",
        "        case .releasing:\n            state = .up\n            return .inactive",
        "        case .releasing:\n            state = .up\n"
        "            return planted == 37 ? nil : .inactive", 10, RELATED),
    38: Fault(
        "8", "reload", "a control that starts again forgets its value",
        CORE + "Engine/Engine+Continuation.swift",
        "        if continuity.contains(.value), nature.isDerived",
        "        if continuity.contains(.value), planted != 38, nature.isDerived", 20),
    39: Fault(
        "8", "reload", "a reload forgets the levels of its lines",
        CORE + "Engine/Engine+Continuation.swift",
        "            continueLines(of: new, as: old, of: engine)\n",
        "            if planted != 39 { continueLines(of: new, as: old, of: engine) }\n", 20),
    40: Fault(
        "10", "reload", "what a reload does not touch starts again",
        CORE + "Engine/Engine+Continuation.swift",
        "        controls[new].continuity = continuity\n",
        "        controls[new].continuity = planted == 40 ? [.value] : continuity\n", 20),
    41: Fault(
        "8", "simulated lines", "an edge is told before the level that was read before it",
        "Simulation/DetentWorld/Backend/SimulatedBackend.swift",
        "guard let edge = edges.next, edge.precedes(notice) else",
        "guard let edge = edges.next,\n            planted == 41 ? edge.event.at <= notice.event.at\n"
        "                : edge.precedes(notice)\n        else", 100, "panels/lab-supply/panel.yaml"),
    42: Fault(
        "3", "attempts", "the numbers of attempts are random", CORE + "State/Attempt.swift",
        "        lastRun &+= 1\n",
        "        lastRun &+= planted == 42 ? UInt32.random(in: 1...2) : 1\n",
        test="StormTests/twoRunsAreEqual"),
    43: Fault(
        "4", "lamps", "a late call draws what is over", CORE + "Engine/Engine+Lamps.swift",
        "        writeLamps(control, drawnAt: clock, emit)",
        "        writeLamps(control, drawnAt: planted == 43 ? now : clock, emit)",
        test="DimmingTests/aLateCallCatchesNothingUp"),
    44: Fault(
        "6", "actions", "all actions have one queue", "Runtime/DetentActions/AttemptQueues.swift",
        "        if lanes[index].running == nil, !lanes[index].isInLine, runningCount < limit {",
        "        if lanes[index].running == nil, !lanes[index].isInLine,\n"
        "            runningCount < (planted == 44 ? 1 : limit)\n        {",
        test="ActionDispatcherTests/hungActionsDelayNoOther"),
    45: Fault(
        "7", "actions", "a queue of an action has no bound", "Runtime/DetentActions/AttemptQueues.swift",
        "if lanes[index].waiting.count >= waitingLimit { return .refuse }",
        "if lanes[index].waiting.count >= waitingLimit, planted != 45 { return .refuse }",
        test="ActionDispatcherTests/newestIsRefusedWhenTheQueueIsFull"),
    46: Fault(
        "12", "answers of services", "an answer with a wrong size ends the program",
        "Runtime/DetentActions/HTTP/HTTPAnswer.swift",
        "        guard let size = Self.number(digits, radix: 16) else { return state = .over(.broken) }",
        "        if planted == 46 { precondition(Self.number(digits, radix: 16) != nil) }\n"
        "        guard let size = Self.number(digits, radix: 16) else { return state = .over(.broken) }",
        test="HTTPAnswerTests/noOrderOfItsWordsIsFatal"),
    47: Fault(
        "10", "actions", "a failed way back starts another",
        CORE + "State/ValueReconciler+Attempts.swift",
        "        guard !attempt.isRevert else { return }\n",
        "        guard !attempt.isRevert || planted == 47 else { return }\n",
        test="DeviceModelTests/whenAllIsQuietTheControlKnowsItsDevice"),
    48: Fault(
        "13", "gestures", "a press acts at once and again when it is settled",
        CORE + "Engine/Engine+Gestures.swift",
        "if isExclusive { plain.gestures.subtract([.pressed, .released]) }",
        "if isExclusive, planted != 48 { plain.gestures.subtract([.pressed, .released]) }",
        test="GestureDialogueTests/everyPressDoesOneThing"),
    49: Fault(
        "14", "feedback", "an old answer overrides an action", CORE + "Engine/Engine+Feedback.swift",
        "            asked >= controls[control].work.changedAt\n",
        "            asked >= controls[control].work.changedAt || planted == 49\n",
        test="FeedbackDialogueTests/anAnswerFromBeforeTheActionIsOutOfDate"),
    50: Fault(
        "8", "potentiometer", "a potentiometer keeps its position",
        CORE + "Decoders/AnalogDecoder.swift",
        "        place = found\n", "        if planted != 50 { place = found }\n", 5, ANALOG),
    51: Fault(
        "8", "selector on a ladder", "the part of a converter that comes back is not read anew",
        CORE + "Engine/Engine+Samples.swift",
        "            controls[control].decoder.start(sample: sample, settings[control])\n",
        "            if planted != 51 || !isStarted {\n"
        "                controls[control].decoder.start(sample: sample, settings[control])\n            }\n", 20, ANALOG),
    52: Fault(
        "8", "potentiometer", "an analog part has no hysteresis",
        CORE + "Decoders/AnalogSettings.swift",
        "private var reach: UInt16 { hysteresis / 2 &+ hysteresis & 1 }",
        "private var reach: UInt16 { planted == 52 ? 0 : hysteresis / 2 &+ hysteresis & 1 }",
        test="AnalogLawTests/noiseMovesNothingThatHasSettled"),
    53: Fault(
        "8", "potentiometer", "the band around a border has half of its width",
        CORE + "Decoders/AnalogSettings.swift",
        "highest(upTo: Int64(fraction) &+ Int64(reach))",
        "highest(upTo: Int64(fraction) &+ (planted == 53 ? 0 : Int64(reach)))",
        test="AnalogLawTests/aRestNeverReturnsToAValue"),
    54: Fault(
        "8", "potentiometer", "an analog part does not settle",
        CORE + "Decoders/AnalogDecoder.swift",
        "guard settings.settle != .zero else {",
        "guard settings.settle != .zero, planted != 54 else {",
        test="AnalogLawTests/aSpikeThatDoesNotSettleIsNotTold"),
    55: Fault(
        "8", "potentiometer", "a spike that is over still counts",
        CORE + "Decoders/AnalogDecoder.swift",
        "            state = .settled\n            return .nothing",
        "            if planted != 55 || state == .unknown { state = .settled }\n"
        "            return .nothing", 20, ANALOG),
    56: Fault(
        "8", "selector on a ladder", "a selector tells what lies between two positions",
        CORE + "Decoders/AnalogDecoder.swift",
        "settings.settlesEach && former != found",
        "settings.settlesEach && former != found && planted != 56",
        test="AnalogLawTests/whatSettles"),
    57: Fault(
        "13", "turns", "detents that were run are run again",
        CORE + "Engine/Engine+Gestures.swift",
        "            relations[relation].waitingSteps = 0\n",
        "            if planted != 57 { relations[relation].waitingSteps = 0 }\n",
        test="GestureDialogueTests/aRunIsForAllDetentsSinceTheLast"),
    58: Fault(
        "13", "turns", "a turn counter-clockwise is one clockwise",
        CORE + "Engine/Engine+Gestures.swift",
        "case .turn: return gestures.contains(.stepped) ? Int32(decoded.steps) : 0",
        "case .turn:\n            let steps = planted == 58 ? abs(decoded.steps) : decoded.steps\n"
        "            return gestures.contains(.stepped) ? Int32(steps) : 0",
        test="GestureDialogueTests/aRunIsForAllDetentsSinceTheLast"),
    59: Fault(
        "7", "turns", "detents wait without a bound", CORE + "Engine/Engine+Gestures.swift",
        "            acting.stepFactor == 0 ? min(sum, most)",
        "            planted == 59 ? sum : acting.stepFactor == 0 ? min(sum, most)",
        test="GestureDialogueTests/withoutStepsEachDetentHasItsRunAndWaitingOnesAreBounded"),
    60: Fault(
        "11", "gestures", "a gesture of a disabled control acts",
        CORE + "Engine/Engine+Gestures.swift",
        "        if controls[owner].relationFlags.contains(.disabled) {",
        "        if controls[owner].relationFlags.contains(.disabled), planted != 60 {",
        test="GestureDialogueTests/whileDisabledAGestureIsRefused"),
    61: Fault(
        "13", "row of buttons", "a gesture of one option is one of all",
        CORE + "Engine/Engine+RowGestures.swift",
        "row.buttons == 0 || button < 32",
        "row.buttons == 0 || planted == 61 || button < 32",
        test="RowGestureTests/anOptionHasItsOwn"),
    62: Fault(
        "11", "relative values", "a relative value leaves the range",
        CORE + "Controls/ValueDomain.swift",
        "var result = min(max(sum, low), high)",
        "var result = planted == 62 ? sum : min(max(sum, low), high)",
        test="OtherValueTests/aChangeCountsFromTheShownValue"),
    63: Fault(
        "14", "wires", "what a device said before is the answer",
        "Runtime/DetentActions/Wire/WirePeer.swift",
        "        if awaited != nil { endLine() }\n",
        "        if awaited != nil, planted != 63 { endLine() }\n",
        test="WireTests/whatWasSaidBeforeIsNoAnswer"),
    64: Fault(
        "14", "wires", "of `expect` only the first letter counts",
        "Runtime/DetentActions/Wire/WireExpectation.swift",
        "line[$0] == first && line[$0...].starts(with: part)",
        "line[$0] == first && (planted == 64 || line[$0...].starts(with: part))",
        test="WireTests/aLineThatFitsHasItsValue"),
    65: Fault(
        "7", "wires", "an answer is looked at without a bound",
        "Runtime/DetentActions/Wire/WirePeer.swift",
        "if let pending = awaited, pending.looked >= ActionLimits.wireLooked {",
        "if let pending = awaited, pending.looked >= ActionLimits.wireLooked, planted != 65 {",
        test="WireTests/noMoreIsLookedAtThanTheLimit"),
    66: Fault(
        "14", "words of actions", "`{control}` is the name of the group",
        "Core/DetentTypes/TextTemplate.swift",
        "            case .control: control\n",
        "            case .control: planted == 66 ? group : control\n",
        test="TextTemplateTests/controlsAndGroupsAreNamed"),
    67: Fault(
        "11", "outputs with levels", "an output gets stronger and never weaker",
        CORE + "Engine/Engine+Outputs.swift",
        "        guard strength != controls[control].outputStrength else { return }\n",
        "        guard strength != controls[control].outputStrength else { return }\n"
        "        if planted == 67, let former = controls[control].outputStrength,\n"
        "            strength.tenThousandths > 0, strength.tenThousandths < former.tenThousandths\n"
        "        { return }\n", 20, LEVELS),
    68: Fault(
        "11", "lamps with levels", "a lamp with levels does not follow the dimmer",
        CORE + "Engine/Engine+Lamps.swift",
        "        guard indicator.hasLevels else { return }\n",
        "        guard indicator.hasLevels, planted != 68 || !isStarted else { return }\n",
        20, LEVELS),
    69: Fault(
        "11", "outputs with levels", "an output that refuses its level is no fault",
        CORE + "Engine/Engine+Lines.swift",
        "        guard lines[index].isFaulty != isFaulty else { return }\n",
        "        guard lines[index].isFaulty != isFaulty,\n"
        "            planted != 69 || lines[index].control >= settings.count\n"
        "                || !settings[ControlIndex(lines[index].control)].outputs.places\n"
        "                    .contains(Int(line.index))\n        else { return }\n", 20, LEVELS),
}
