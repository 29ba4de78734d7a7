//! The tile envelope of §14.
