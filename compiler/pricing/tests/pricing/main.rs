//! Prices and costs of the quickstart and of its variations.

#[cfg(test)]
mod books;
#[cfg(test)]
mod common;
#[cfg(test)]
mod contracts;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod quickstart;
