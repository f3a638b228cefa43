//! The orogen program as a library.
