//! Codes of this crate: a target's folder and what is kept beside it.

poolwright_diagnostics::codes! {
    /// Codes of this crate.
    FOREIGN_FOLDER = "PW6050", "a target's folder belongs to another fleet or another target";
    DAMAGED_MANIFEST = "PW6051", "the manifest of a target's folder cannot be read";
    UNOWNED_PATH = "PW6052", "a file that the fleet wants is there already, and Poolwright did not write it";
    BAD_PATH = "PW6053", "a path that Poolwright should write or read would leave the target's folder";
    SYMLINK = "PW6054", "a symbolic link stands where a target's own file or folder should be";
    FILE_ACCESS = "PW6055", "a file or folder of a target cannot be read or written";
    FILE_MOVED_ON = "PW6056", "a file changed between the plan and the write";
    DAMAGED_INVENTORY = "PW6057", "the inventory of a target cannot be read";
    SHARED_FILE = "PW6058", "two objects of one target want the same file with different contents";
    TOO_LARGE = "PW6059", "a file is larger than Poolwright reads";
    NEWER_FORMAT = "PW6060", "a file was written in a format that this version does not know";
}
