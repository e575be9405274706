import DetentPanel
import DetentTypes
import DetentWorld
import Glibc
import Testing

@testable import DetentServer

/// What docs/http.md says that the server takes, it takes.
@Suite struct DocumentTests {
    static let text: String = {
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        guard let file = fopen(root + "/docs/http.md", "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }()

    /// The first code in each row of the tables between two headings.
    private static func rows(from start: String, to end: String) -> [String] {
        let lines = text.split(separator: "\n").drop { $0 != start }.prefix { $0 != end }
        return lines.filter { $0.hasPrefix("| `") }
            .compactMap { $0.dropFirst(3).split(separator: "`").first.map(String.init) }
    }

    static let messages = rows(from: "### To the panel", to: "## Access control")
    static let requests = rows(from: "## Requests", to: "## The WebSocket")

    @Test func theDocumentIsRead() {
        #expect(Self.messages.count >= 20, "\(Self.messages)")
        #expect(Self.requests.count >= 12, "\(Self.requests)")
    }

    /// A message that the document has and the server does not know would be answered with 400.
    @Test(arguments: messages) func aDocumentedMessageIsTaken(_ message: String) throws {
        let bench = try HubBench(isSimulated: true)
        let (ear, source) = bench.listen()
        let words = message.replacing("GPIO17", with: "I1")
        guard case .object(let members) = try JSONReader.read(Array(words.utf8)) else {
            Issue.record("\(message) is no object")
            return
        }
        let numbered = members.filter { $0.0 != "id" } + [("id", .integer(7))]
        bench.say(JSONValue.object(numbered).line, source)
        let answer = try #require(ear.last("answer"), "\(message) is answered")
        let status = answer["problem"]?["status"]?.whole
        #expect(status == nil || status == 409, "\(message): \(answer.line)")
        if status == 409 { #expect(message.contains(#""erase""#), "it needs confirmation") }
    }

    @Test func everyTypeIsDocumented() {
        for type in [
            "token", "set", "fire", "trace", "resync", "lamp-test", "close", "reload", "ping",
            "gesture", "clock", "simulate",
        ] {
            #expect(Self.messages.contains { $0.contains(#""type": "\#(type)""#) }, "\(type)")
        }
    }

    @Test(arguments: GestureVerb.allCases) func everyVerbIsDocumented(_ verb: GestureVerb) {
        let section = Self.text.split(separator: "\n").drop { $0 != "### To the panel" }
            .prefix { $0 != "## Access control" }
        #expect(
            section.contains {
                $0.contains("\"verb\": \"\(verb.rawValue)\"") || $0.contains("`\(verb.rawValue)`")
            })
    }

    @Test(arguments: requests) func aDocumentedRequestIsTaken(_ words: String) throws {
        let bench = try HubBench(isSimulated: true)
        let responder = RequestHandler(
            hub: bench.hub, policy: AccessPolicy(port: 8_433, names: [], tokens: AccessTokens()),
            page: PageFiles(folder: nil), runInBackground: { make, reply in reply(make()) })
        let parts = words.split(separator: " ")
        let method = String(parts.first ?? "")
        for path in parts.dropFirst().map(String.init) {
            let target = path.replacing("controls/ID/VERB", with: "controls/erase/press")
                .replacing("controls/ID", with: "controls/output")
                .replacing("lines/NAME/VERB", with: "lines/I1/cut")
            let headers = [("Host", "localhost:8433")]
            let request = try #require(
                HTTPRequest(method: method, target: target, headers: headers), "\(words)")
            var answer: HTTPResponse?
            responder.respond(to: request, now: bench.now) { answer = $0 }
            bench.pass(.milliseconds(300))
            let title = String(decoding: answer?.body ?? [], as: UTF8.self)
            #expect(answer != nil && !title.contains("There is nothing at"), "\(words): \(title)")
        }
    }
}
