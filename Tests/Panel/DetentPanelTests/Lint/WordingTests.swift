import TestSupport
import Testing

@testable import DetentPanel

/// Wording that is found, and wording that must be left alone.
@Suite struct WordingTests {
    @Test(arguments: [
        ("rate of flow", "Rate of Flow"), ("Rate of flow", "Rate of Flow"),
        ("RATE of flow", "RATE of Flow"), ("Range (kHz) of pump", "Range (kHz) of Pump"),
        ("Pump for water, second", "Pump for Water, Second"),
        ("Lamp (spare) of a", "Lamp (Spare) of a"),
        ("driver's lamp in cabin", "Driver's Lamp in Cabin"),
        ("500 ms delay of start", "500 ms Delay of Start"), ("Over the hill", "Over the Hill"),
    ])
    func labelsAreMended(label: String, better: String) {
        expectEqual(TitleCase.corrected(label), better)
    }

    @Test(arguments: [
        // Without an English small word, and short words: the language is not known.
        "main power", "Licht im Flur", "Rollo auf", "Tür auf", "éclairage jardin",
        "Light of the sun", "of", "Pompe de bassin", "PSU output",
        "PSU 2", "kHz Range", "Main Power", "Light of the Day", "Set Point", "On-air Light",
        "pH", "pH Meter", "eBay Sale", "x Axis", "Axis y", "2nd Pump", "Delay (ms)", "Level in mm",
        "Pressure (bar)", "Pressure in bar", "rpm Limit", "Delay 5 ms",
        "Speed m/s", "Speed (m/s)", "Host psu.local", "MAIN POWER", "LED", "3rd Lamp", "", " ", "—",
        "Küche licht", "Pompe à chaleur", "Главный насос", "主电源", "مضخة", "mp3 Player",
        "Start/stop",
        "Coffee & Tea", "100 %", "Lamp  Two", "Bake at 250 °C",
    ])
    func labelsAreLeftAlone(label: String) {
        #expect(TitleCase.corrected(label) == nil)
    }

    /// A corrected label needs no correction.
    @Test(arguments: ["rate of flow", "of", "the light of", "a b cd (ef) gh", "to and back"])
    func mendingEnds(label: String) {
        #expect(TitleCase.corrected(TitleCase.corrected(label) ?? label) == nil)
    }

    @Test(arguments: [
        ("Motor", "Motor"), ("Electric Fence", "Electric"), ("calibration", "calibration"),
        ("Heating", "Heating"), ("LED Test", "LED"), ("(Door)", "Door"), ("PSU Reset", "PSU"),
        ("Lighting Scene 2", "Lighting"), ("Mode", "Mode"), ("Cart", "Cart"),
        ("New Folder", "New"), ("The Big Door", "The"), ("Doors", "Doors"), ("a Lamp", "a"),
        ("Blue", "Blue"), ("Red Lamp", "Red"), ("Channel 4", "Channel"), ("Coffee", "Coffee"),
        ("Morse Key", "Morse"), ("Quick Reset", "Quick"), ("Volume", "Volume"),
    ])
    func titlesWithoutVerbAreFound(title: String, word: String) {
        expectEqual(ButtonTitle.noun(beginning: title), word)
    }

    @Test(arguments: [
        "Start", "START", "Reset PSU", "Calibrate", "Ring", "Bring Up", "String", "Water", "Pump",
        "Power", "Light", "OK", "Cancel", "Next", "Home", "Up", "Left", "Ration", "Position Axis",
        "Function", "+", "", "2", "Öffnen", "Стоп", "E-Stop", "Swing", "Ping", "Lamp-Test?",
        "Do It", "Undo", "A", "A 1", "High", "Snooze", "Emergency Stop", "Toast",
    ])
    func titlesThatMayBeginWithAVerbPass(title: String) {
        #expect(ButtonTitle.noun(beginning: title) == nil)
    }

    @Test(arguments: [
        ("2 V", "20 V"), ("A", "B"), ("Red", "green"), ("Heat", "Cool"), ("Left", "Right"),
        ("Mains", "Battery"), ("AC", "DC"), ("Channel 1", "Channel 2"), ("Celsius", "Fahrenheit"),
        ("Hot", "Cold"), ("Auto", "Manual"), ("Day", "Night"), ("Fast", "Slow"),
        ("Radio", "Disc"), ("Dipole", "Beam"), ("AM", "FM"), ("Line", "Mic"), ("Mono", "Stereo"),
        ("Main", "Standby"), ("Local", "Remote"), ("Internal", "External"), ("High", "Low"),
        ("Up", "Down"),
    ])
    func twoThingsAreFound(on: String, off: String) {
        #expect(StateWords.areTwoThings(on, off))
        #expect(StateWords.areTwoThings(off, on))
    }

    @Test(arguments: [
        ("Open", "Closed"), ("Running", "Stopped"), ("Locked", "Unlocked"),
        ("Heat", "Off"), ("20 V", "None"), ("On Air", "Off Air"), ("1:1", "Idle"),
        ("Auf", "Zu"), ("Yes", "No"), ("Red", "Dark"), ("Circulating", "Idle"),
    ])
    func opposites(on: String, off: String) {
        #expect(!StateWords.areTwoThings(on, off))
        #expect(!StateWords.areTwoThings(off, on))
    }

    @Test(arguments: [("Yes", "No"), ("no", "YES"), ("Enabled", "Disabled"), ("Off", "On")])
    func otherWordsForOnAndOff(on: String, off: String) {
        #expect(StateWords.areOnAndOff(on, off))
    }

    @Test(arguments: [("Yes", "Off"), ("Open", "Closed"), ("On", "On"), ("On", "Auto")])
    func wordsThatSayMore(on: String, off: String) {
        #expect(!StateWords.areOnAndOff(on, off))
    }

    @Test(arguments: [
        "Erase All", "DELETE", "Format SD Card", "Wipe Disk", "Factory Reset", "Overwrite",
        "Purge", "Clear Log", "Remove", "Discard", "Drop", "Empty Trash", "Kill",
        "Reset Everything", "Shut Down", "Shred Files",
    ])
    func destructiveWords(title: String) {
        #expect(DestructiveWords.word(beginning: title) != nil)
    }

    @Test(arguments: [
        "Format Text", "Wipe Windscreen", "Reset", "Clear Alarm", "Deletion Log", "", "Eraser",
        "Purge Line", "Remove Guard", "Drop Anchor", "Clear Screen", "Löschen",
    ])
    func harmlessWords(title: String) {
        #expect(DestructiveWords.word(beginning: title) == nil)
    }

    @Test(arguments: ["Delete It", "save", "Turn Left", "Undo", "Select…"])
    func verbsOfSegments(name: String) {
        #expect(Verbs.verb(beginning: name) != nil)
    }

    @Test(arguments: [
        "Play", "Stop", "Rest", "Slow", "Open", "Camera 1", "1 µm", "Turner", "Mute", "",
        "Addition",
    ])
    func namesOfSegments(name: String) {
        #expect(Verbs.verb(beginning: name) == nil)
    }
}
