import DetentCore
import DetentRuntime
import DetentTypes
import TestSupport
import Testing

@testable import DetentWall

/// What a gateway sends to its panel, and what it may not send.
@Suite struct ChildMessageTests {
    private static let requests: [PanelRequest] = [
        .begin, .watch(true), .watch(false), .snapshot, .trace([]),
        .trace([LineID(0), LineID(7), LineID(.max)]),
        .trace((0..<64).map { LineID($0) }),
        .intent(ControlID(3), Value(-1), .web, RequestID(1)),
        .intent(ControlID(.max), Value(.max), .api, RequestID(.max)),
        .fire(ControlID(0), .on, .api, .none), .change(ControlID(3), -5, .mqtt, RequestID(2)),
        .resync(.web), .lampTest(true, .web), .lampTest(false, .api.by(31)),
        .close(ControlID(3), .web),
        .reload(.web), .reload(.api.by(31)),
    ]

    @Test(arguments: requests) func aRequestComesAsItWasSent(_ request: PanelRequest) {
        expectEqual(ChildMessage(request.bytes[...]), .request(request))
        #expect(request.bytes.count <= PanelRequest.byteLimit)
    }

    /// A message is taken whole or not at all.
    @Test(arguments: requests) func aLongerOrShorterMessageIsRefused(_ request: PanelRequest) {
        let bytes = request.bytes
        #expect(ChildMessage((bytes + [0])[...]) == nil)
        #expect(ChildMessage(bytes.dropLast()) == nil)
    }

    /// The answer to a question whether it is alive.
    @Test func aWordOfLifeComesAsItWasSent() {
        for life in [ChildMessage.alive(0, isBusy: true), .alive(.max, isBusy: false)] {
            expectEqual(ChildMessage(life.bytes[...]), life)
            #expect(PanelMessage(life.bytes[...]) == nil, "no panel says it")
            #expect(ChildMessage((life.bytes + [0])[...]) == nil)
        }
    }

    /// Nothing that a gateway sends traps, and what is taken is one of the known requests.
    @Test(arguments: TestLength.seeds(1...4)) func anyBytesAreSafe(_ seed: UInt64) {
        var numbers = SplitMix64(seed: seed)
        var taken = 0
        for round in 0..<25_000 {
            var bytes: [UInt8]
            if round % 2 == 0 {
                let count = Int(numbers.below(140))
                bytes = (0..<count).map { _ in UInt8(numbers.below(256)) }
                // Few tags are known: most of the random ones would be refused at once.
                if !bytes.isEmpty { bytes[0] %= 24 }
            } else {
                let place = Int(numbers.below(UInt64(Self.requests.count)))
                bytes = Self.requests[place].bytes
                let byte = Int(numbers.below(UInt64(bytes.count)))
                bytes[byte] = UInt8(numbers.below(256))
            }
            guard let message = ChildMessage(bytes[...]) else { continue }
            taken += 1
            expectEqual(message.bytes, bytes, "seed \(seed), round \(round): \(bytes)")
        }
        #expect(taken > 1_000, "seed \(seed): the test reaches what is behind the first byte")
    }

    @Test(arguments: [
        PanelReloader.Outcome(result: .changed, text: "ä\n"), .init(result: .refused, text: ""),
        .init(result: .unchanged, text: "a"),
    ])
    func theOutcomeOfAReloadComesAsItWasSent(_ outcome: PanelReloader.Outcome) {
        expectEqual(PanelMessage(PanelMessage.reloaded(outcome).bytes[...]), .reloaded(outcome))
    }

    /// A text is cut between two characters.
    @Test func aLongOutcomeFitsIntoAFrame() throws {
        let text = String(repeating: "aä", count: WallLimits.reloadText)
        let bytes = PanelMessage.reloaded(.init(result: .refused, text: text)).bytes
        #expect(bytes.count <= PanelMessage.byteLimit)
        guard case .reloaded(let outcome)? = PanelMessage(bytes[...]) else {
            Issue.record("the frame was not read")
            return
        }
        #expect(text.hasPrefix(outcome.text) && outcome.text.utf8.count > 16_000)
    }

    /// A field that a message does not use is 0: each message has one form.
    @Test func whatIsNotUsedIsEmpty() {
        for place in 1..<MessageRow.byteCount {
            var bytes = PanelRequest.snapshot.bytes
            bytes[place] = 1
            #expect(ChildMessage(bytes[...]) == nil, "\(place)")
        }
    }

    /// A gateway cannot pretend that a hand, a device or the panel itself wanted something.
    @Test func onlyRemoteOriginsAreTaken() {
        for origin in Origin.Place.allCases.map(Origin.init) {
            let bytes = PanelRequest.intent(ControlID(0), .on, origin, .none).bytes
            let isRemote = origin == .web || origin == .api || origin == .mqtt
            expectEqual((ChildMessage(bytes[...]) != nil), isRemote, "\(origin)")
            let named = PanelRequest.intent(ControlID(0), .on, origin.by(31), .none).bytes
            expectEqual((ChildMessage(named[...]) != nil), isRemote, "\(origin) with a name")
        }
    }

    @Test func eventsOfThePanelItselfAreNoRequests() {
        let events: [Event] = [
            .tick, .start, .edge(LineID(0), .active, sequence: 1), .reading(LineID(0), .active),
            .overflow(LineID(0)), .lineFault(LineID(0)), .lineRestored(LineID(0)),
            .actionStarted(ControlID(0), RunID(1)),
            .actionFinished(ControlID(0), RunID(1), .succeeded),
            .outputWritten(LineID(0), .active), .saved(ControlID(0), .on),
            .answered(ControlID(0), RunID(1), .on), .feedback(ControlID(0), .on),
            .fire(ControlID(0), .on, .web, isConfirmed: false),
        ]
        for event in events { #expect(PanelRequest(event) == nil, "\(event)") }
        for request in Self.requests where request.event != nil {
            expectEqual(request.event.flatMap(PanelRequest.init), request)
        }
    }

    // MARK: From the panel

    @Test func updatesComeAsTheyWereSent() {
        let updates = (0..<WallLimits.updatesPerMessage).map { number in
            TimedUpdate(
                .report(
                    Report(control: ControlID(1), kind: .changed(Value(Int32(number)), .web)),
                    number: UInt64(number) + 1), at: Instant(nanoseconds: UInt64(number)))
        }
        let messages: [PanelMessage] = [
            .updates([]), .updates(updates), .dropped(7), .served, .ping(0), .ping(.max),
        ]
        for message in messages {
            expectEqual(PanelMessage(message.bytes[...]), message)
            #expect(message.bytes.count <= PanelMessage.byteLimit)
            #expect(PanelMessage(message.bytes.dropLast()) == nil)
            #expect(PanelMessage((message.bytes + [0])[...]) == nil)
            #expect(ChildMessage(message.bytes[...]) == nil, "no process may say it")
        }
    }

    @Test func aSetupComesAsItWasWritten() {
        var setup = ChildSetup()
        setup.session = "0123456789abcdef"
        setup.generation = 3
        setup.file = "panel.yaml"
        setup.panel = Array("panel: P\n".utf8)
        setup.settings = [0, 255]
        expectEqual(ChildSetup(setup.bytes), setup)
        for count in 0..<setup.bytes.count {
            #expect(ChildSetup(Array(setup.bytes.prefix(count))) == nil)
        }
    }
}
