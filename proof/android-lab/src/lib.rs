//! An Android device for tests.
