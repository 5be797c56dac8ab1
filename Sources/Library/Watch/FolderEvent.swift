import CLinux

/// What an inotify event means for the library.
enum FolderEvent: Equatable {
    /// The folder is to be looked into again.
    case altered
    /// A file has been made, and may be about to be written; the folder is to be looked into.
    case made
    /// A file is being written: nothing is to be done until that is over.
    case written
    /// The watch has ended.
    case watchEnded
    /// Events were lost: everything is to be looked through.
    case lost
    /// Nothing that matters.
    case nothing

    /// Of the event's mask and the name in it; `isWanted` says whether a file of this name matters.
    init(mask: UInt32, name: [UInt8], isWanted: ([UInt8]) -> Bool) {
        func has(_ flags: CInt) -> Bool { mask & UInt32(bitPattern: flags) != 0 }
        if has(IN_Q_OVERFLOW) {
            self = .lost
        } else if has(IN_IGNORED) {
            self = .watchEnded
        } else if has(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) {
            self = .altered
        } else if name.first == UInt8(ascii: ".") {
            self = .nothing
        } else if has(IN_ISDIR) {
            self = .altered
        } else if !isWanted(name) {
            // Under any name there may be a link to a folder.
            self = has(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO) ? .altered : .nothing
        } else if has(IN_MODIFY) {
            self = .written
        } else if has(IN_CREATE) {
            self = .made
        } else {
            self = .altered
        }
    }
}
