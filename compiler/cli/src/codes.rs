//! Codes of the command line: `PW92xx`.

poolwright_diagnostics::codes! {
    /// Codes of this crate.
    NOT_BUILT = "PW9201", "a command of the contract that this version does not have yet";
    UNKNOWN_COMMAND = "PW9202", "a command that does not exist";
    CANNOT_WRITE = "PW9203", "a file that was named on the command line cannot be written";
    CANNOT_READ = "PW9204", "a file that was named on the command line cannot be read";
    NOT_EMPTY = "PW9205", "a folder that a fleet should be written to has one already";
    NO_APPROVAL = "PW9206", "an apply without a terminal needs an approval";
    OTHER_FLEET = "PW9207", "a saved plan is of another fleet than the folder";
    NO_SUCH_TARGET = "PW9208", "a target that was named on the command line is not in the fleet";
    FLEET_MOVED_ON = "PW9210", "a saved plan is applied to a fleet that changed since it was saved";
    COMMAND_LINE = "PW9211", "a flag or an argument of a command is missing, unknown or wrong";
    LARGE_GRAPH = "PW9212", "a graph has more edges than Mermaid draws";
    NO_SUCH_CODE = "PW9230", "a code that was named on the command line does not exist";
    NO_SUCH_SCHEMA = "PW9209", "a schema that was named on the command line does not exist";
}
