#if !hasFeature(Embedded)
    extension UInt8 {
        /// Whether it is a letter or a digit of ASCII.
        public var isASCIIAlphanumeric: Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
        }
    }

    extension String {
        /// The text for an address: every byte but letters, digits and the given signs as `%` and
        /// two hexadecimal digits.
        public func percentEncoded(except signs: String) -> String {
            // A bit for each byte of ASCII, because an address is looked at for each request.
            var kept: UInt128 = 0
            for sign in signs.utf8 where sign < 0x80 { kept |= 1 << UInt128(sign) }
            func stays(_ byte: UInt8) -> Bool {
                byte.isASCIIAlphanumeric || byte < 0x80 && kept >> UInt128(byte) & 1 != 0
            }
            if utf8.allSatisfy(stays) { return self }
            var text: [UInt8] = []
            for byte in utf8 {
                if stays(byte) {
                    text.append(byte)
                } else {
                    let digits = String(byte, radix: 16, uppercase: true)
                    text += ("%" + (digits.count == 1 ? "0" : "") + digits).utf8
                }
            }
            return String(decoding: text, as: UTF8.self)
        }
    }
#endif
