//! Decisions of routes: the table of LANGUAGE §5.4 row by row, laws, the language's function, and what is shown.

#[cfg(test)]
mod calls;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod load;
#[cfg(test)]
mod rows;
#[cfg(test)]
mod setting;
#[cfg(test)]
mod shown;
