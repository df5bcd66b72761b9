//! Runs the backend on its own small sites, with a scripted host.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod addresses_of_others;
mod audience;
mod calls;
mod clients;
mod company;
mod contract;
mod declared;
mod expected;
mod facts;
mod figures;
mod foundations;
mod hostile;
mod japanese;
mod languages;
mod look_alikes;
mod misplaced;
mod misread;
mod mistaken;
mod model;
mod no_landmarks;
mod of_others;
mod offer;
mod proofs;
mod properties;
mod reading;
mod run;
mod site_builders;
mod sites;
mod small_businesses;
mod visual;
mod web;
