//! The tests of the command and of the library, from outside.

mod cli;
mod diff;
mod layers;
mod names;
