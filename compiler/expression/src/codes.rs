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
    UNKNOWN_FUNCTION = "PW3001", "an expression calls a function that does not exist";
    WRONG_ARGUMENTS = "PW3002", "a function is called with too few or too many arguments";
    BAD_ARGUMENT = "PW3003", "a function cannot work with the value of an argument";
    NO_ATTRIBUTE = "PW3004", "a value has no attribute of this name";
    NULL_ACCESS = "PW3005", "an attribute or element of null is asked for";
    BAD_INDEX = "PW3006", "an index does not fit what is indexed";
    DIVISION_BY_ZERO = "PW3007", "a number or quantity is divided by zero";
    WRONG_OPERAND = "PW3008", "an operator cannot work with the type of an operand";
    DIMENSIONS = "PW3009", "an operator is between quantities that do not go together";
    CURRENCIES = "PW3010", "money of two currencies meets and no price book has a rate";
    NULL_OPERAND = "PW3011", "an operator meets null";
    NOT_TEXT = "PW3012", "a template contains a value that is no text";
    DUPLICATE_KEY = "PW3013", "an object gets the same key twice";
    CONDITIONAL_TYPES = "PW3014", "the two results of a conditional are of types that do not go together";
    TOO_DEEP = "PW3015", "an expression is nested too deeply";
    TOO_LARGE = "PW3016", "an expression makes a value or does work beyond all reason";
    NOT_ITERABLE = "PW3017", "a value that has no elements is gone through or expanded";
    BAD_KEY = "PW3018", "the key of an object is null or no text";
    ALL_FAILED = "PW3019", "no argument of try can be evaluated";
}
