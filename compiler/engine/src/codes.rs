//! Codes of this crate: plan and state, apply.

poolwright_diagnostics::codes! {
    /// Codes of this crate.
    PROTECTED = "PW6001", "a plan would destroy or replace an object that is protected";
    NOT_OURS = "PW6002", "an object that the fleet wants is there already and belongs to nobody or to another fleet";
    TWICE = "PW6003", "two objects of one target have the same address";
    DAMAGED_FILE = "PW6004", "a file of a target's folder cannot be read as what Poolwright wrote";
    CYCLE = "PW6005", "objects need each other in a circle, so that none can be made first";
    UNREACHABLE = "PW6006", "a target could not be read, so nothing is known of its objects";
    EMPTY = "PW6007", "a plan would remove every object";
    TOO_MANY_DESTROYS = "PW6008", "a plan destroys more objects than allowed";
    INTERRUPTED = "PW6009", "an earlier apply was interrupted";
    MOVES = "PW6010", "a target's folder is another one now, and what reads the old one finds nothing there";
    GONE = "PW6011", "the fleet has no such target any more, and what is ours on it is removed";
    PLAN_UNREADABLE = "PW6101", "a saved plan is not the JSON of a plan";
    PLAN_TRUNCATED = "PW6102", "a saved plan ends in the middle";
    PLAN_SCHEMA = "PW6103", "a saved plan has a format that this version does not know";
    PLAN_TAMPERED = "PW6104", "a saved plan was changed after it was made";
    PLAN_TOO_LARGE = "PW6105", "a saved plan is larger than Poolwright reads";
    STALE = "PW6106", "a target changed since the plan was made";
    NOT_APPROVED = "PW6107", "the plan is not the one that was approved";
    OTHER_TARGET = "PW6108", "a plan was made for another system than the one it is applied to";
    NOT_APPLIED = "PW7001", "a change failed";
    SKIPPED = "PW7002", "a change was not tried, because something before it failed";
    NOT_REMEMBERED = "PW7003", "all was applied, but what was applied could not be remembered";
}
