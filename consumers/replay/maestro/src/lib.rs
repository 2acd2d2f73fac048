//! Maestro flows: read, checked, run on a host
