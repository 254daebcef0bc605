//! Codes of values and evaluation: `PW2xxx` types and units, `PW3xxx` evaluation.

poolwright_diagnostics::codes! {
    /// Codes of this crate.
    WRONG_TYPE = "PW2001", "a value is of another type than its place asks for";
    BAD_QUANTITY = "PW2002", "a text is not of the form that a quantity has";
    AMBIGUOUS_CURRENCY = "PW2003", "a currency sign stands for more than one currency";
    NUMBER_TOO_LARGE = "PW2004", "a number has more than 10,000 digits";
    OUT_OF_RANGE = "PW2005", "a value is outside of what its place allows";
    UNKNOWN_KEY = "PW2006", "an object has a key that its type does not know";
    MISSING_KEY = "PW2007", "an object lacks a key that its type requires";
    UNKNOWN_WORD = "PW2008", "a word is not among those that its place allows";
    BAD_NAME = "PW2009", "a name has characters or a length that names may not have";
    BAD_HOSTS = "PW2010", "a host list cannot be expanded";
    WRONG_BLOCK = "PW2011", "a reference is to a block of another kind than its place asks for";
    WRONG_PER = "PW2012", "money is per something else than its place asks for";
    NULL_VALUE = "PW2013", "a required value is null";
    BAD_DATE = "PW2014", "a date does not exist or is not written as year-month-day";
}
