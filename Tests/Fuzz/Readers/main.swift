// Gives damaged inputs to one reader of foreign bytes, for Tests/Fuzz/readers:
//
//     detent-fuzz TARGET KEPT SEED SECONDS FILE…      damages the files, for a time
//     detent-fuzz TARGET --read FILE…                 reads the files as they are
//     detent-fuzz TARGET --words                      the words of the format, for libFuzzer
//     detent-fuzz TARGET --guided OPTION…             passes the options to libFuzzer
//
// An input that ends the process, or breaks a promise of the reader, is written to KEPT. The last
// line says how many inputs were read, and how many of them were accepted. Only a program that
// Tests/Fuzz/guided has built can be guided.

import CFuzzGuide
import DetentPanel
import DetentTrace
import DetentTypes
import Glibc

func fail(_ text: String) -> Never {
    print("detent-fuzz: \(text)")
    exit(2)
}

func bytes(of path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { fail("\(path) cannot be read") }
    defer { fclose(file) }
    var all: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = fread(&block, 1, block.count, file)
        guard count > 0 else { return all }
        all += block.prefix(count)
    }
}

func target(named name: String, _ files: [String]) -> any FuzzTarget {
    func panel(_ path: String) -> PanelReader.Reading {
        PanelReader.read(file: path, deviceTree: "/nonexistent")
    }
    switch name {
    case "panel": return PanelTarget()
    case "board": return BoardTarget()
    case "scenario":
        // Every scenario of the corpus is one of this panel.
        let reading = panel("Tests/Fuzz/panel.yaml")
        return ScenarioTarget(panels: ["panel.yaml": reading])
    case "bounce": return BounceTarget()
    case "language": return LanguageTarget()
    case "csv": return CaptureTarget(format: .csv)
    case "vcd": return CaptureTarget(format: .vcd)
    case "sigrok", "archive": return CaptureTarget(format: .sigrok)
    case "mqtt":
        guard let plan = panel("Tests/Fuzz/broker.yaml").plan, let target = MQTTTarget(plan)
        else { fail("Tests/Fuzz/broker.yaml is no panel with a broker") }
        return target
    case "osc": return OSCTarget()
    case "answer": return AnswerTarget()
    case "state":
        guard let plan = panel("Tests/Fuzz/panel.yaml").plan else {
            fail("Tests/Fuzz/panel.yaml is no panel")
        }
        return StateTarget(plan: plan)
    case "history": return HistoryTarget()
    case "planted": return PlantedTarget()
    case "planted-deep": return DeepPlantedTarget()
    case _: fail("there is no target `\(name)`")
    }
}

func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else { fail("TARGET KEPT SEED SECONDS FILE…, or TARGET --read FILE…") }
// One thread; a function for C cannot capture it.
nonisolated(unsafe) var reader = target(named: arguments[0], arguments)
if arguments[1] == "--read" {
    for path in arguments.dropFirst(2) {
        let isAccepted = try reader.read(bytes(of: path))
        print("\(path): \(isAccepted ? "accepted" : "refused")")
    }
    exit(0)
}
// The parts of an archive are damaged before they are packed, or hardly anything would be read.
nonisolated let isPacked = arguments[0] == "archive"
if arguments[1] == "--words" {
    for word in reader.words {
        let hexadecimal = word.utf8.map { String($0, radix: 16) }
        print("\"" + hexadecimal.map { "\\x" + ($0.count < 2 ? "0" : "") + $0 }.joined() + "\"")
    }
    exit(0)
}
if arguments[1] == "--guided" {
    var words = (CommandLine.arguments.prefix(1) + arguments.dropFirst(2)).map { strdup($0) }
    let code = detent_fuzz_guide(Int32(words.count), &words) { start, count in
        let input = Array(UnsafeBufferPointer(start: start, count: count))
        do throws(BrokenPromise) {
            _ = try reader.read(isPacked ? PackedSession.bytes(of: input) : input)
        } catch {
            fatalError(error.text)
        }
        return 0
    }
    if code < 0 { fail("this program has no libFuzzer; run Tests/Fuzz/guided, which builds one") }
    exit(code)
}
guard arguments.count >= 5, let seed = UInt64(arguments[2]), let time = Double(arguments[3])
else { fail("KEPT SEED SECONDS FILE…") }
let files = arguments.dropFirst(4).map(bytes)
var mutator = Mutator(seed: seed, corpus: files, words: reader.words)
CrashKeeper.start(path: arguments[1])
let end = seconds() + time
var rounds = 0
var accepted = 0
while seconds() < end {
    var input = mutator.next()
    if isPacked { input = PackedSession.bytes(of: input) }
    CrashKeeper.keep(input)
    do throws(BrokenPromise) {
        if try reader.read(input) { accepted += 1 }
    } catch {
        CrashKeeper.write()
        print("seed \(seed), round \(rounds): \(error.text); the input is in \(arguments[1])")
        exit(1)
    }
    rounds += 1
}
print("\(arguments[0]): seed \(seed), \(rounds) inputs, \(accepted) accepted")
