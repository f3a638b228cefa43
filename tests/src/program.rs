//! How does a user run the program?
