//! State spaces on many cores and machines, and larger than memory.
//!
//! Everything here works on a [`Space`](kibitzer::space::Space): packed states, no game. States are divided among workers by a
//! hash of the whole state into 256 *buckets* ([`route`]), whatever the number of workers, and travel in chunks through the
//! [channels of timely dataflow](timely_communication) ([`communicator`]); processes on other machines are reached by [`net`].
//!
//! * [`explore`] counts a space layer by layer, in memory; [`disk`] does so with finished layers on disk, within a memory limit.
//! * [`label`] finds the value of every position of a two-player game.
//! * [`solve`] finds a plan of least cost, by layers of cost or of cost plus estimate.
//! * [`table`] is the file format of all states and labels on disk, [`block`] its unit; [`checkpoint`] lets a run resume.
//!
//! The same answer, digit by digit, for any number of workers and processes: what is counted is summed, and wherever one of
//! several must be chosen it is the least by its bytes.

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
    /// A fault outside the program: wrong input or, if `scarce`, a lack of something such as disk space.
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

    /// The limit, if it is one.
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
