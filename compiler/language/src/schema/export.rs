//! Documentation and JSON Schema of the blocks, made from the same data that the front end checks against.
