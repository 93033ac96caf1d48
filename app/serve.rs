//! `kibitzer serve`: serves the web page from this machine. The library answers the questions (`kibitzer::ask`); the server adds HTTP,
//! access checks and limits. Every request contains its board and moves, so the server keeps no state between requests.

mod answer;
mod api;
mod assets;
mod greeting;
mod guard;
mod places;
mod stream;
mod watch;

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use futures_util::future::{self, Either};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use kibitzer::catalog::Games;
use places::Places;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::effort;
use crate::failure::{Failure, SOLVED};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  # Serve the page at http://localhost:8017
  kibitzer serve
  # Any free port; the program prints it
  kibitzer serve --port 0
  # Also serve other devices on your network; prints the address and a QR code
  kibitzer serve --address 0.0.0.0
  kibitzer serve --time 60 --solves 4
  kibitzer serve --embed https://course.example.org

Without --address, only this machine can open the page. Ctrl-C stops the server. --embed allows a site to show the page in a frame: \
<iframe src=\"http://localhost:8017\"></iframe>. If the frame has a `sandbox` attribute, it needs `allow-scripts` and \
`allow-same-origin`.")]
pub struct Args {
    /// Port to listen on; 0 for any free port
    #[arg(long, short, default_value = "8017")]
    port: u16,
    /// Address to listen on; 0.0.0.0 also serves other devices on your network
    #[arg(long, default_value = "127.0.0.1")]
    address: IpAddr,
    /// Time limit per solve, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = effort::seconds, default_value = "300")]
    time: f64,
    /// Memory limit for all solves together, such as 500M or 4G [default: three quarters of free memory]
    #[arg(long, value_name = "SIZE", value_parser = effort::size)]
    memory: Option<usize>,
    /// Maximum number of concurrent solves
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u16).range(1..=256))]
    solves: u16,
    /// Allow a site to show the page in a frame, such as https://course.example.org; may be repeated
    #[arg(long, value_name = "ORIGIN")]
    embed: Vec<guard::Origin>,
}

/// The address of a client.
#[derive(Clone, Copy)]
struct Client(IpAddr);

/// The state that all requests share.
pub struct Server {
    games: Games,
    /// Time limit per solve.
    seconds: f64,
    /// Memory limit per solve.
    bytes: usize,
    /// All requests are canceled if the process holds more bytes than this, although each request also counts its own memory.
    most_resident: usize,
    most_solves: usize,
    solves: Arc<Semaphore>,
    /// Slots in which all questions other than solves start.
    quick: Places,
    /// Slots for questions that take longer, so that quick questions do not have to wait.
    long: Places,
    connections: Places,
    local: bool,
    frames: guard::Frames,
}

/// Maximum number of concurrent quick questions other than solves: for all clients together, and per client.
const QUICK: (usize, usize) = (8, 4);
/// Maximum number of concurrent long questions other than solves: for all clients together, and per client.
const LONG: (usize, usize) = (4, 2);
/// Maximum number of open connections: for all clients together, and per client.
const CONNECTIONS: (usize, usize) = (256, 32);
/// Maximum time for a request header to arrive, and for a connection to be idle.
const HEADER_TIME: Duration = Duration::from_secs(15);

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    let most_solves = usize::from(args.solves);
    let memory = args.memory.unwrap_or_else(kibitzer_watch::default_limit);
    let server = Arc::new(Server {
        games,
        seconds: args.time,
        bytes: memory / most_solves,
        most_resident: kibitzer_watch::most_resident(0, memory),
        most_solves,
        solves: Arc::new(Semaphore::new(most_solves)),
        quick: Places::new(QUICK.0, QUICK.1),
        long: Places::new(LONG.0, LONG.1),
        connections: Places::new(CONNECTIONS.0, CONNECTIONS.1),
        local: args.address.is_loopback(),
        frames: guard::Frames::new(&args.embed),
    });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(2 * (QUICK.0 + LONG.0))
        .enable_all()
        .build()
        .map_err(|error| Failure::internal(format!("cannot start threads: {error}")))?;
    let done = runtime.block_on(listen(SocketAddr::new(args.address, args.port), server));
    // Solves stop when their streams are closed, so there is no need to wait for them.
    runtime.shutdown_background();
    done
}

async fn listen(address: SocketAddr, server: Arc<Server>) -> Result<u8, Failure> {
    let listener = TcpListener::bind(address).await.map_err(|error| {
        let help = "use another port with `--port`, or `--port 0` for any free one";
        Failure::input(format!("cannot listen on {address}: {error}"), help)
    })?;
    let bound = listener.local_addr().map_err(|error| Failure::internal(error.to_string()))?;
    greeting::greet(bound);
    let served = pin!(accept(listener, server));
    let interrupted = pin!(async {
        // Without a handler, Ctrl-C simply ends the program.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    });
    match future::select(served, interrupted).await {
        Either::Left((never, _)) => match never {},
        Either::Right(_) => Ok(SOLVED),
    }
}

/// Serves connections, each on its own task. Connections beyond the maximum are closed at once, and idle connections after a while.
async fn accept(listener: TcpListener, server: Arc<Server>) -> Infallible {
    let app = api::router(Arc::clone(&server));
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            // Perhaps too many files are open; wait until some are closed.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let Some(place) = server.connections.take(peer.ip()) else { continue };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(app.clone().layer(Extension(Client(peer.ip()))));
        tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(HEADER_TIME);
            // A client that disconnects is not an error.
            let _ = http.serve_connection(TokioIo::new(stream), service).await;
            drop(place);
        });
    }
}
