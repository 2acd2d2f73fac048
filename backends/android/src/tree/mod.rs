//! From the helper's XML to a tree.
