//! Concurrent binary tree.
