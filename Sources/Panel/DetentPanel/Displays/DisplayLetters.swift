/// The letters that every small display has: those of ASCII, and a few signs of measurements.
///
/// A text for such a display is written with these letters before it is cut, so that what the page
/// shows is what the panel shows.
public enum DisplayLetters {
    /// The signs beyond ASCII. A character display has room for eight signs of its own.
    public static let signs: [Character] = ["…", "°", "µ", "Ω", "±"]

    /// A text in these letters: accents are dropped, and a letter without a form becomes `?`.
    public static func fold(_ text: String) -> String {
        var result = ""
        for letter in text {
            if letter.isASCII || signs.contains(letter) {
                result.append(letter)
            } else if let place = accented.firstIndex(of: letter) {
                result.append(plain[place])
            } else {
                result += others[letter] ?? "?"
            }
        }
        return result
    }

    private static let accented = Array(
        "ÀÁÂÃÄÅĀĂĄÇĆČĎÈÉÊËĒĖĘĚÌÍÎÏĪĮİŁÑŃŇÒÓÔÕÖØŌŐŘŚŠŞŤÙÚÛÜŪŮŰŲÝŸŹŻŽ"
            + "àáâãäåāăąçćčďèéêëēėęěìíîïīįıłñńňòóôõöøōőřśšşťùúûüūůűųýÿźżž")
    private static let plain = Array(
        "AAAAAAAAACCCDEEEEEEEEIIIIIIILNNNOOOOOOOORSSSTUUUUUUUUYYZZZ"
            + "aaaaaaaaacccdeeeeeeeeiiiiiiilnnnoooooooorssstuuuuuuuuyyzzz")
    private static let others: [Character: String] = [
        "ß": "ss", "Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "\u{A0}": " ", "\u{202F}": " ",
        "–": "-", "—": "-", "−": "-", "‘": "'", "’": "'", "“": "\"", "”": "\"", "«": "\"",
        "»": "\"", "×": "x", "·": ".", "•": "*", "μ": "µ", "Ω": "Ω", "²": "2", "³": "3",
        "½": "1/2", "¼": "1/4", "¾": "3/4", "€": "EUR", "£": "GBP", "→": ">", "←": "<",
    ]
}
