//! Codes of the front end: `PW1xxx` blocks, attributes and names, `PW40xx` rules inside one block.

poolwright_diagnostics::codes! {
    /// Codes of this crate.
    UNKNOWN_BLOCK = "PW1001", "a block is of a kind that the language does not have, or stands where it may not";
    ATTRIBUTE_OUTSIDE = "PW1002", "an attribute stands outside of every block";
    UNKNOWN_ATTRIBUTE = "PW1003", "a block has an attribute that its schema does not know";
    DUPLICATE = "PW1004", "two blocks of one kind have the same name";
    LABELS = "PW1005", "a block has too few or too many labels";
    NAME_RULE = "PW1006", "a name is not spelt by the rule for names";
    MISSING_ATTRIBUTE = "PW1007", "a required attribute is missing";
    FLEET_COUNT = "PW1008", "there is no `fleet` block, or more than one";
    MISSING_BLOCK = "PW1009", "a block lacks a block that it needs inside";
    UNKNOWN_REFERENCE = "PW1010", "a reference names a block that does not exist";
    UNKNOWN_NAME = "PW1011", "an expression begins with a name that means nothing there";
    CYCLE = "PW1012", "values depend on each other in a circle";
    NO_SUCH_PART = "PW1013", "a block or object has no attribute of that name";
    DEEP_CHAIN = "PW1014", "a chain of references is too long";
    VERSION_TOO_OLD = "PW1015", "the fleet needs another version of Poolwright";
    QUOTED_REFERENCE = "PW1016", "a reference to a block stands in quotes, as all of a string";
    REPETITION = "PW1017", "`for_each` or `count` is of a kind that makes no blocks";
    TOO_MANY_MODULES = "PW1018", "there are more modules than any fleet has";
    UNKNOWN_INPUT = "PW1019", "a value is given to a variable that does not exist";
    MISSING_INPUT = "PW1020", "a variable has no value";
    NO_TYPE = "PW1021", "the type of a variable is not one of the language";
    VALIDATION = "PW1022", "the value of a variable is refused by its own condition";
    VALUE_NOT_READ = "PW1023", "a value on the command line or in a file cannot be read";
    SENSITIVE_PLACE = "PW1024", "a sensitive value stands where everybody can read it";
    STATEMENT = "PW1025", "a `moved`, `removed` or `import` block contradicts the blocks that are there";
    KNOWN_LAST = "PW1026", "something is asked for that is known when all blocks are";
    PRICE_OF = "PW1027", "a price is asked of something that has none";
    NODE_SHAPE = "PW4002", "the shape of a node is incomplete or contradicts itself";
    LOT_SIZE = "PW4003", "the number of nodes of a lot is missing, open or contradicts its hosts";
    TIER_FACTS = "PW4004", "a tier lacks the facts that its kind needs, or has facts of another kind";
    PLACE = "PW4005", "a queue names neither pools nor a route, or both";
    STEP_PATIENCE = "PW4006", "a step lacks `for`, or the last step has it";
    TARGET_CONNECTION = "PW4007", "a target lacks the facts that its kind needs";
    ZONE = "PW4008", "a zone is not one of the target's";
    ACCELERATOR = "PW4009", "a pool's accelerator is missing or is not that of its instance types";
    QUOTA_TWICE = "PW4010", "a tenant has two quotas for one pool";
    POLICY_FACTS = "PW4011", "a policy lacks what its severity needs";
    CURRENCY = "PW4012", "a currency is not an ISO 4217 code";
    EVERYBODY = "PW4013", "`*` stands beside other names, or beside limits that need a name";
    PORT_RATE = "PW4014", "the rate of a fabric's port is beyond what any port has";
    DIRECTORY = "PW4015", "a target's folder leaves the fleet's folder, or lies in that of another target";
    SHARE = "PW4016", "a share is more than the whole, or nothing where something is needed";
    TOPOLOGY = "PW4017", "a class names no level of a fabric, or two, to keep its jobs together";
    DOMAIN_TOO_LARGE = "PW4019", "a switch has more hosts than its level allows";
    UNASKED_BOOK = "PW4018", "a price book is not among those that the fleet asks";
    PARTITION_FACTS = "PW4050", "the slices of an accelerator have more memory than the accelerator";
    OVERRIDDEN = "PW4051", "an accelerator is declared with less memory than the catalogue says it has";
    TEXT_RULE = "PW4030", "a text has characters that targets do not take there";
    VALUE_RULE = "PW4031", "a number or quantity is out of what makes sense there";
    NO_EFFECT = "PW4032", "an attribute has no effect where it stands";
    TWICE = "PW4033", "a list names the same thing twice";
    RESERVED = "PW4034", "a name belongs to the system, not to the fleet";
    NOT_BUILT = "PW9001", "a part of the language that this version does not build yet";
    CHECKED_ONLY = "PW9002", "attributes that are checked and priced, but that no target gets yet";
    INTERNAL = "PW9900", "a fault of Poolwright itself";
}

/// Marks a value that failed because another one failed: never shown, the cause is.
pub(crate) const FOLLOWS: poolwright_diagnostics::Code = poolwright_diagnostics::Code("PW0000");
