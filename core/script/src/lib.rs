//! .ad scripts: how recorded steps stand in a file
