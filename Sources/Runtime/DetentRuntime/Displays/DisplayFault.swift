import DetentPanel
public import DetentTypes
import Glibc

/// What keeps a display dark.
public struct DisplayFault: DescribedError, Equatable, Sendable {
    /// What is wrong.
    public var cause: String
    /// What to do about it.
    public var remedy: String

    init(_ cause: String, remedy: String) {
        self.cause = cause
        self.remedy = remedy
    }

    /// A call on the device that failed.
    init(_ doing: String, _ device: DisplayPlan.Device, errno error: Int32) {
        let text = String(cString: strerror(error))
        self.init(
            "`\(device.subject)` cannot be \(doing): \(text)",
            remedy: Self.remedy(device, error))
    }

    private static func remedy(_ device: DisplayPlan.Device, _ error: Int32) -> String {
        switch error {
        case ENOENT, ENXIO, ENODEV:
            switch device {
            case .charlcd:
                return "load the driver of the display, such as the overlay `hd44780-lcd`"
            case .framebuffer:
                return "load the driver of the display, such as the overlay `ssd1306`; "
                    + "`ls /dev/fb*` lists the screens"
            case .message:
                return "load the driver of the display, such as `ht16k33`; "
                    + "`find /sys/devices -name message` lists the files"
            case .program: return "start it by hand to see its error"
            }
        case EACCES, EPERM:
            return "let the user of detent write to it, such as with a udev rule or a group"
        case EBUSY: return "stop the other program that writes to it"
        case _: return "check the wiring of the display, and `dmesg`"
        }
    }
}
