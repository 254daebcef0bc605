//! The codes of this crate. `PW0090` and up belong to reading files, which happens elsewhere.

poolwright_diagnostics::codes! {
    /// Every code that parsing can give.
    UNTERMINATED_STRING = "PW0001", "a quoted string is not closed on its line";
    RAW_NEWLINE = "PW0002", "a quoted string runs over several lines";
    UNTERMINATED_HEREDOC = "PW0003", "a heredoc has no end marker";
    UNTERMINATED_COMMENT = "PW0004", "a `/*` comment is never closed";
    INVALID_ESCAPE = "PW0005", "a backslash in a string begins no known escape";
    WRONG_QUOTES = "PW0006", "a string is written with other quotes than `\"`";
    BAD_NUMBER = "PW0007", "a number is malformed, or carries a unit without quotes";
    UNEXPECTED_CHARACTER = "PW0008", "a character that is no part of the language";
    BARE_INTERPOLATION = "PW0009", "`${…}` stands outside a string";
    UNCLOSED = "PW0010", "a brace, bracket or parenthesis is never closed";
    STRAY_CLOSER = "PW0011", "a closing brace, bracket or parenthesis closes nothing";
    TOO_DEEP = "PW0012", "the nesting is too deep, or an operator chain too long";
    UNCLOSED_INTERPOLATION = "PW0013", "a `${` or `%{` in a string is not closed";
    BROKEN_DIRECTIVE = "PW0014", "a `%{…}` in a string does not belong to a complete `if` or `for`";
    FILE_TOO_LARGE = "PW0015", "a file is larger than 4 GiB";
    MISSING_EQUALS = "PW0020", "an attribute has no `=` between its name and its value";
    WRONG_ASSIGNMENT = "PW0021", "an attribute is assigned with something else than `=`";
    MISSING_VALUE = "PW0022", "an attribute or an interpolation has no value";
    SEVERAL_ON_A_LINE = "PW0023", "two attributes or blocks stand on one line";
    COMMA_AFTER_ITEM = "PW0024", "attributes or blocks are separated by a comma";
    BLOCK_SHAPE = "PW0025", "the braces of a block stand in the wrong place";
    BLOCK_HEADER = "PW0026", "the line that opens a block is malformed";
    NOT_AN_ITEM = "PW0027", "a line begins neither an attribute nor a block";
    DUPLICATE_ATTRIBUTE = "PW0028", "a block sets an attribute twice";
    DUPLICATE_KEY = "PW0029", "an object has a key twice";
    MISSING_COMMA = "PW0030", "two elements have no comma between them";
    MISSING_OPERAND = "PW0031", "an operator has no value beside it";
    UNEXPECTED_TOKEN = "PW0032", "an expression has something that does not belong there";
    UNKNOWN_OPERATOR = "PW0033", "an operator that the language does not have";
    RESERVED_WORD = "PW0034", "a word of the language stands where a name must be";
    AMBIGUOUS_KEY = "PW0035", "an object key is an expression without parentheses";
    INCOMPLETE_CONDITIONAL = "PW0036", "a conditional has no `:` branch";
    OBJECT_ENTRY = "PW0037", "an entry of an object has no `=`";
}
