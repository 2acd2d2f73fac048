//! Reports of suites: JUnit, JSON, annotations
