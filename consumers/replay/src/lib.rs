//! Scripts and flows run again, alone and in suites
