//! `kibitzer serve`: the page, on this machine. The library answers the questions (`kibitzer::ask`); the server adds HTTP, the
//! checks on who may ask, and limits. A request carries everything it is about (board and moves), so nothing is kept between
//! requests.

mod answer;
mod api;
mod assets;
mod guard;
mod stream;
mod watch;

use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;

use futures_util::future::{self, Either};
use tokio::sync::Semaphore;

use crate::effort::{self, default_memory};
use crate::failure::{Failure, SOLVED};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer serve                    then open http://localhost:8017
  kibitzer serve --port 0           any free port; it is printed
  kibitzer serve --time 60 --solves 4

Only this machine can reach it unless --address says otherwise. Ctrl-C ends it.")]
pub struct Args {
    /// The port to listen on; 0 takes a free one
    #[arg(long, short, default_value = "8017")]
    port: u16,
    /// The address to listen on
    #[arg(long, default_value = "127.0.0.1")]
    address: IpAddr,
    /// Most seconds for one solve
    #[arg(long, value_name = "SECONDS", value_parser = effort::seconds, default_value = "300")]
    time: f64,
    /// Memory for all solves together, such as 500M or 4G [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = effort::size)]
    memory: Option<usize>,
    /// Most solves at the same time
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u16).range(1..=256))]
    solves: u16,
}

/// What all requests share: limits, and permits for work that blocks a thread.
pub struct Server {
    /// For one solve.
    seconds: f64,
    /// For one solve.
    bytes: usize,
    most_solves: usize,
    solves: Arc<Semaphore>,
    /// Reading boards and drawing them takes a processor, too.
    short: Arc<Semaphore>,
    local: bool,
}

/// Most questions other than solves that are worked on at the same time.
const MOST_SHORT: usize = 4;

pub fn run(args: Args) -> Result<u8, Failure> {
    let most_solves = usize::from(args.solves);
    let server = Arc::new(Server {
        seconds: args.time,
        bytes: args.memory.unwrap_or_else(default_memory) / most_solves,
        most_solves,
        solves: Arc::new(Semaphore::new(most_solves)),
        short: Arc::new(Semaphore::new(MOST_SHORT)),
        local: args.address.is_loopback(),
    });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(2 * MOST_SHORT)
        .enable_all()
        .build()
        .map_err(|error| Failure::internal(format!("cannot start threads: {error}")))?;
    let done = runtime.block_on(listen(SocketAddr::new(args.address, args.port), server));
    // Solves stop with their streams; the program need not wait for them.
    runtime.shutdown_background();
    done
}

async fn listen(address: SocketAddr, server: Arc<Server>) -> Result<u8, Failure> {
    let listener = tokio::net::TcpListener::bind(address).await.map_err(|error| {
        let help = "take another port with `--port`, or `--port 0` for any free one";
        Failure::input(format!("cannot listen on {address}: {error}"), help)
    })?;
    let bound = listener.local_addr().map_err(|error| Failure::internal(error.to_string()))?;
    let host = if bound.ip().is_loopback() { format!("localhost:{}", bound.port()) } else { bound.to_string() };
    let mut out = std::io::stdout();
    let _ = writeln!(out, "Kibitzer is at http://{host} (Ctrl-C ends it)");
    let _ = out.flush();
    let served = pin!(axum::serve(listener, api::router(server)).into_future());
    let interrupted = pin!(async {
        // Without a handler Ctrl-C simply ends the program.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    });
    if let Either::Left((Err(error), _)) = future::select(served, interrupted).await {
        return Err(Failure::internal(error.to_string()));
    }
    Ok(SOLVED)
}
