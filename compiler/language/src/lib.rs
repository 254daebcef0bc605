//! poolwright-language
