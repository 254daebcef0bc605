//! Codes of the driver: `PW009x` reading the folder, `PW60xx` are the engine's.

poolwright_diagnostics::codes! {
    /// Codes of this crate.
    NO_FOLDER = "PW0090", "the fleet's folder is not there or cannot be read";
    EMPTY_FOLDER = "PW0091", "the folder has no `*.pool.hcl` file";
    UNREADABLE = "PW0092", "a file cannot be read";
    NOT_UTF8 = "PW0093", "a file is not UTF-8 text";
    TOO_LARGE = "PW0094", "a file is larger than any configuration is";
    OTHER_ENDING = "PW0095", "a file with blocks of a fleet is not read, because of its ending";
    UNUSED_ALLOW = "PW0096", "a comment allows a remark that is not made";
    ALLOW_WITHOUT_REASON = "PW0097", "a comment allows a remark and gives no reason";
    BAD_ALLOW = "PW0098", "a comment that should allow a remark names no code";
    MODULE_SOURCE = "PW0100", "the source of a module is not one that can be used";
    NO_MODULE = "PW0101", "the folder of a module is not there, or has no `*.pool.hcl` file";
    MODULE_CIRCLE = "PW0102", "a module uses itself";
    NOT_LOCKED = "PW0103", "a module from Git is not pinned in `poolwright.lock`, or was not fetched";
    LOCK_MISMATCH = "PW0104", "a fetched module is not what `poolwright.lock` says";
    LOCK = "PW0105", "`poolwright.lock` cannot be read";
    NOT_FETCHED = "PW0106", "a module cannot be fetched from Git";
    NO_EXPRESSION = "PW0112", "what was asked is no expression";
    VARIABLE_FORM = "PW0110", "a value for a variable is not written as `name=value`";
    VARIABLE_FILE = "PW0111", "a file with values of variables cannot be read";
    NO_ROUTE = "PW4590", "there is no queue or route of that name";
    OUTSIDE_ITS_DAYS = "PW4592", "a lot has nodes on a day that it is not bought for";
    ENDS_SOON = "PW4593", "a lot ends within 30 days";
    LEFT_OVER = "PW6091", "a folder that this fleet wrote belongs to no target of it any more, and is left alone";
    RENAMED = "PW6092", "a block went and another of its kind came, and what carries the old name is destroyed";
    DECIDE_ARGUMENTS = "PW4591", "`decide` is called with something else than one object";
    UNKNOWN_PRICE_OF = "PW4490", "a price is asked of something that has none";
}
