//! The scripts inside flows, in an engine without files and processes
