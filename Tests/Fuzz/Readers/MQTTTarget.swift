import DetentPanel
import DetentRuntime
import DetentTypes

@testable import DetentMQTT

/// Messages from a broker. The first line of an input is the topic, with `!` before it for a stored
/// message; the rest is the message.
struct MQTTTarget: FuzzTarget {
    private var session: MQTTPanelSession
    private var now = Instant.zero
    private let base: String

    let words =
        numbers + [
            "!", "/set", "/confirm", "/state", "/announced", "t/", "former/lamp/state",
            "!former/availability", "offline", "homeassistant/status", "on",
            "off", "online", "{\"value\": ", "}", "[", "]", "null", "true", "+one", "-two", "press",
            "token", "\\u0000", "\\ud800", "/", "+", "#", "[[[[[[[[[[",
        ]

    /// - Parameter plan: a panel with a broker.
    init?(_ plan: PanelPlan) {
        guard let broker = plan.broker else { return nil }
        base = broker.topic
        session = MQTTPanelSession(
            plan, broker, facts: MQTTFacts(version: "1", formerTopics: ["former"]), seed: 1)
        session.connected()
        while session.next() != nil {}
    }

    mutating func read(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
        now = now + .seconds(1)
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        let isRetained = line.first == UInt8(ascii: "!")
        let topic = String(decoding: isRetained ? line.dropFirst() : line, as: UTF8.self)
        let payload = Array(bytes.dropFirst(line.count + 1))
        let event = session.receive(topic, payload, isRetained: isRetained, now: now)
        try BrokenPromise.unless(
            event == nil || !isRetained, "a stored command was performed: \(topic)")
        var told = 0
        while let message = session.next() {
            told += 1
            try BrokenPromise.unless(told < 1_000, "it tells without an end")
            let isOwn =
                [base + "/", "former/", "homeassistant/"].contains { message.topic.hasPrefix($0) }
            try BrokenPromise.unless(
                isOwn && !message.topic.utf8.contains(0), "it tells to \(message.topic)")
            guard message.topic.hasSuffix("/answer") else { continue }
            let isJSON = (try? JSONReader.read(Array(message.text.utf8))) != nil
            try BrokenPromise.unless(isJSON, "an answer is no JSON: \(message.text)")
        }
        session.advance(to: now)
        return event != nil
    }
}

/// A reader with a planted fault, which the commands have to find.
struct PlantedTarget: FuzzTarget {
    let words = ["x"]

    mutating func read(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
        precondition(bytes.count < 6 || bytes[4] != bytes[5], "the planted fault")
        return true
    }
}

/// A fault that random bytes do not reach: each byte is a branch of its own.
struct DeepPlantedTarget: FuzzTarget {
    let words = ["x"]

    mutating func read(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
        var place = 0
        for byte in "latch".utf8 {
            guard place < bytes.count, bytes[place] == byte else { return true }
            place += 1
        }
        preconditionFailure("the planted fault")
    }
}
