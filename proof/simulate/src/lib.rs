//! The daemon with the simulated device, under a seeded schedule and a paused clock, held against a model.
