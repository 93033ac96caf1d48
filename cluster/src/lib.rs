//! Explores state spaces, including ones larger than memory, on many cores and machines.
//!
//! Everything here works on the packed states of a [`Space`](kibitzer::space::Space), for any game. A hash of the whole state divides
//! states into 256 *buckets* ([`route`]), regardless of the number of workers. States are sent in chunks through the
//! [channels of timely dataflow](timely_communication) ([`communicator`]); [`net`] connects processes on other machines.
//!
//! * [`explore`] counts the states of a space layer by layer, in memory; [`disk`] does so with finished layers on disk, within a
//!   memory limit.
//! * [`label`] finds the value of every position of a two-player game.
//! * [`solve`] finds a least-cost plan, by layers of cost or of cost plus estimate.
//! * [`table`] is the file format for all states and labels on disk, and [`block`] is its unit; [`checkpoint`] lets a run resume.
//!
//! Answers are exactly the same for any number of workers and processes: counts are summed, and ties are broken by byte order.

pub mod block;
pub mod checkpoint;
pub mod communicator;
pub mod disk;
pub mod expand;
pub mod explore;
pub mod frontier;
pub mod label;
pub mod monitor;
pub mod net;
pub mod route;
pub mod runs;
pub mod solve;
pub mod sorter;
pub mod table;

use std::fmt;

use kibitzer::limits::Limit;
use serde::{Deserialize, Serialize};

/// The reason why work ended early.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Halt {
    Limit(Limit),
    /// An error, with a remedy for the user. `scarce` means that there is too little of a resource such as disk space.
    Fault {
        message: String,
        help: String,
        scarce: bool,
    },
}

impl Halt {
    pub fn fault(message: impl Into<String>, help: impl Into<String>) -> Halt {
        Halt::Fault { message: message.into(), help: help.into(), scarce: false }
    }

    pub fn scarce(message: impl Into<String>, help: impl Into<String>) -> Halt {
        Halt::Fault { message: message.into(), help: help.into(), scarce: true }
    }

    /// The limit that stopped the work, if any.
    pub fn limit(&self) -> Option<Limit> {
        match self {
            Halt::Limit(limit) => Some(*limit),
            Halt::Fault { .. } => None,
        }
    }
}

impl From<Limit> for Halt {
    fn from(limit: Limit) -> Halt {
        Halt::Limit(limit)
    }
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Halt::Fault { message, .. } => f.write_str(message),
            Halt::Limit(limit) => f.write_str(limit.words()),
        }
    }
}
