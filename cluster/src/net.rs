//! Connects the processes, and detects when one of them is lost.
//!
//! Each pair of processes has two connections. One carries the engine's data. The other carries heartbeats of one byte per second, so that
//! power and network failures are also detected. The loss of a process is noticed at once if the process is killed, and after [`SILENCE`]
//! if its heartbeats stop. The engine cannot continue if one of its processes is missing, and its threads cannot be unwound, so a process
//! that detects a loss calls [`Lost`].
//!
//! There is no authentication and no encryption: any process that can reach the port can send states. The first bytes of a connection
//! identify the caller and its job, which guards against mistakes, not against malice. Use a private network.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use kibitzer::limits::Limits;
use kibitzer::search::explore::Layer;
use serde::{Deserialize, Serialize};
use timely_communication::Hooks;
use timely_communication::allocator::AllocatorBuilder;
use timely_communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely_communication::allocator::zero_copy::stream::Stream;
use timely_communication::initialize::Config;

use super::Halt;

/// Called with a process's number and address when that process is lost. This function must not return.
pub type Lost = Arc<dyn Fn(usize, &str) + Send + Sync>;

/// A process counts as lost if no heartbeat arrives for this long.
pub const SILENCE: Duration = Duration::from_secs(15);
/// Interval between heartbeats.
const BEAT: Duration = Duration::from_secs(1);
/// Maximum time to wait for a caller's greeting.
const GREETING: Duration = Duration::from_secs(5);
const RETRY: Duration = Duration::from_millis(100);

/// Callbacks that report the progress of work, called by one worker of each process.
#[derive(Clone)]
pub struct Events {
    /// Called with a note for the user while the process waits for others.
    pub say: Arc<dyn Fn(&str) + Send + Sync>,
    /// Called when a stage of the work begins.
    pub stage: Arc<dyn Fn(&str) + Send + Sync>,
    /// Called when a layer is finished. A resumed run first reports the layers finished before the stop.
    pub layer: Arc<dyn Fn(&Layer) + Send + Sync>,
}

impl Default for Events {
    /// Callbacks that do nothing.
    fn default() -> Events {
        Events { say: Arc::new(|_| ()), stage: Arc::new(|_| ()), layer: Arc::new(|_| ()) }
    }
}

/// The processes that work together.
#[derive(Clone)]
pub struct Cluster {
    /// Number of worker threads per process.
    pub workers: usize,
    /// `host:port` of every process; empty if there is only this process.
    pub hosts: Vec<String>,
    /// The index of this process in `hosts`.
    pub process: usize,
    /// The address to listen on instead of this process's entry in `hosts`.
    pub bind: Option<String>,
    /// Maximum time to wait for the other processes.
    pub patience: Duration,
    /// Names and values that all processes must agree on, besides the hosts.
    pub job: Vec<(String, String)>,
    pub lost: Lost,
    pub events: Events,
}

impl Cluster {
    /// A cluster of one process with this number of workers.
    pub fn local(workers: usize) -> Cluster {
        Cluster {
            workers,
            hosts: Vec::new(),
            process: 0,
            bind: None,
            patience: Duration::ZERO,
            job: Vec::new(),
            lost: Arc::new(|_, _| ()),
            events: Events::default(),
        }
    }

    pub fn processes(&self) -> usize {
        self.hosts.len().max(1)
    }
}

/// The connections of the engine, and the threads that must live as long as it runs.
pub struct Connected {
    pub builders: Vec<AllocatorBuilder>,
    pub others: Box<dyn std::any::Any + Send>,
    pub pulses: Pulses,
}

pub fn connect(setup: &Cluster, limits: &Limits) -> Result<Connected, Halt> {
    if setup.processes() == 1 {
        let config = if setup.workers == 1 { Config::Thread } else { Config::Process(setup.workers) };
        let (builders, others) = config.try_build().map_err(|error| Halt::fault(error, "use fewer workers"))?;
        return Ok(Connected { builders, others, pulses: Pulses::default() });
    }
    let rendezvous = Rendezvous { setup, limits, until: Instant::now() + setup.patience };
    let pairs = rendezvous.meet()?;
    let mut pulses = Pulses::default();
    let mut sockets: Vec<Option<Line>> = Vec::new();
    for (peer, pair) in pairs.into_iter().enumerate() {
        let Some((data, pulse)) = pair else {
            sockets.push(None);
            continue;
        };
        let gone = Gone { peer, address: setup.hosts[peer].clone(), lost: Arc::clone(&setup.lost) };
        data.set_nodelay(true).map_err(no_socket)?;
        pulses.watch(pulse, gone.clone()).map_err(no_socket)?;
        sockets.push(Some(Line { stream: data, gone, zeros: 0 }));
    }
    let config = Config::Process(setup.workers).try_build().map_err(|error| Halt::fault(error, "use fewer workers"))?;
    let inner = config.0.into_iter().filter_map(|builder| match builder {
        AllocatorBuilder::Process(process) => Some(process),
        _ => None,
    });
    let (builders, guard) =
        initialize_networking_from_sockets(inner.collect(), sockets, setup.process, setup.workers, Hooks::default()).map_err(no_socket)?;
    Ok(Connected { builders: builders.into_iter().map(AllocatorBuilder::Tcp).collect(), others: Box::new(guard), pulses })
}

/// The process at the other end of a connection. The process counts as lost if the connection ends.
#[derive(Clone)]
struct Gone {
    peer: usize,
    address: String,
    lost: Lost,
}

impl Gone {
    fn report(&self) {
        (self.lost)(self.peer, &self.address);
    }
}

/// A connection that carries the engine's data.
struct Line {
    stream: TcpStream,
    gone: Gone,
    /// The number of zero bytes at the end of the data read so far. The engine ends a stream with a header of zeros.
    zeros: usize,
}

/// Size of the engine's header, in bytes.
const HEADER: usize = 48;

impl Read for Line {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.stream.read(out) {
            Ok(0) if self.zeros >= HEADER => Ok(0),
            Ok(count) if count > 0 => {
                let tail = out[..count].iter().rev().take(HEADER).take_while(|byte| **byte == 0).count();
                self.zeros = if tail == count { self.zeros + count } else { tail };
                Ok(count)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
            ended => {
                self.gone.report();
                ended
            }
        }
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes).inspect_err(|error| {
            if error.kind() != ErrorKind::Interrupted {
                self.gone.report();
            }
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Stream for Line {
    fn try_clone(&self) -> io::Result<Line> {
        Ok(Line { stream: self.stream.try_clone()?, gone: self.gone.clone(), zeros: 0 })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // Once all work is done, the other side may already have closed the connection.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}

/// The connections that carry heartbeats. Closing them signals that this process is done.
#[derive(Default)]
pub struct Pulses {
    done: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

const ALIVE: u8 = 1;
const DONE: u8 = 2;

impl Pulses {
    fn watch(&mut self, stream: TcpStream, gone: Gone) -> io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(SILENCE))?;
        let (mut hears, mut beats) = (stream.try_clone()?, stream);
        let done = Arc::clone(&self.done);
        let over = Arc::clone(&self.done);
        self.threads.push(thread::Builder::new().name("kibitzer:beat".to_owned()).spawn(move || {
            while !done.load(Ordering::Relaxed) && beats.write_all(&[ALIVE]).is_ok() {
                thread::park_timeout(BEAT);
            }
            let _ = beats.write_all(&[DONE]);
        })?);
        // The thread is not joined, because it ends only when the other process is done.
        thread::Builder::new().name("kibitzer:hear".to_owned()).spawn(move || {
            let mut byte = [0];
            loop {
                match hears.read(&mut byte) {
                    Ok(1) if byte[0] == DONE => return,
                    Ok(1) => {}
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    _ if over.load(Ordering::Relaxed) => return,
                    _ => return gone.report(),
                }
            }
        })?;
        Ok(())
    }

    /// Signals that all work is done, so that the others do not report this process as lost.
    pub fn end(self) {
        self.done.store(true, Ordering::Relaxed);
        for thread in self.threads {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

struct Rendezvous<'a> {
    setup: &'a Cluster,
    limits: &'a Limits,
    until: Instant,
}

/// The connections to another process: data, and heartbeats.
type Pair = Option<(TcpStream, TcpStream)>;

impl Rendezvous<'_> {
    fn meet(&self) -> Result<Vec<Pair>, Halt> {
        let setup = self.setup;
        let address = setup.bind.as_ref().unwrap_or(&setup.hosts[setup.process]);
        let listener = TcpListener::bind(address.as_str()).and_then(|listener| listener.set_nonblocking(true).map(|()| listener));
        let listener = listener.map_err(|error| {
            Halt::fault(
                format!("cannot listen on {address}: {error}"),
                "choose an address of this machine with a free port; `--bind` sets it",
            )
        })?;
        let count = setup.hosts.len();
        let mut found: Vec<[Option<TcpStream>; 2]> = (0..count).map(|_| [None, None]).collect();
        for (peer, pair) in found.iter_mut().enumerate().take(setup.process) {
            for (kind, stream) in pair.iter_mut().enumerate() {
                *stream = Some(self.call(peer, kind)?);
            }
        }
        let missing = |found: &[[Option<TcpStream>; 2]]| (setup.process + 1..count).find(|&peer| found[peer].iter().any(Option::is_none));
        while let Some(peer) = missing(&found) {
            match listener.accept() {
                Ok((stream, _)) => {
                    if let Some((from, kind, stream)) = self.answer(stream)? {
                        found[from][kind] = Some(stream);
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.pause(peer)?,
                Err(error) => return Err(no_socket(error)),
            }
        }
        Ok(found.into_iter().map(|[data, pulse]| data.zip(pulse)).collect())
    }

    /// Waits briefly for a process. Fails if a limit is reached or the maximum waiting time is over.
    fn pause(&self, peer: usize) -> Result<(), Halt> {
        self.limits.check()?;
        if Instant::now() > self.until {
            let message =
                format!("process {peer} at {} did not connect within {} s", self.setup.hosts[peer], self.setup.patience.as_secs());
            return Err(Halt::scarce(message, "start the same command with the same hosts file on every host, with `--process 0`, `1`, …"));
        }
        thread::sleep(RETRY);
        Ok(())
    }

    /// Connects to a process with a smaller number.
    fn call(&self, peer: usize, kind: usize) -> Result<TcpStream, Halt> {
        let address = &self.setup.hosts[peer];
        let mut said = false;
        loop {
            let found =
                address.to_socket_addrs().ok().and_then(|mut all| all.find_map(|at| TcpStream::connect_timeout(&at, GREETING).ok()));
            if let Some(mut stream) = found {
                let greeted = self.greet(&mut stream, peer, kind).and_then(|()| read_greeting(&mut stream));
                match greeted {
                    Ok(theirs) => {
                        self.same_job(peer, &theirs)?;
                        stream.set_read_timeout(None).and_then(|()| stream.set_nonblocking(false)).map_err(no_socket)?;
                        return Ok(stream);
                    }
                    // Another program uses the port, and may be about to release it.
                    Err(_) => self.pause(peer)?,
                }
            }
            if !std::mem::replace(&mut said, true) {
                (self.setup.events.say)(&format!("waiting for process {peer} at {address}"));
            }
            self.pause(peer)?;
        }
    }

    /// Accepts a connection from a process with a larger number. Returns `None` if the caller is not one of the processes.
    fn answer(&self, mut stream: TcpStream) -> Result<Option<(usize, usize, TcpStream)>, Halt> {
        stream.set_nonblocking(false).and_then(|()| stream.set_read_timeout(Some(GREETING))).map_err(no_socket)?;
        let Ok(theirs) = read_greeting(&mut stream) else { return Ok(None) };
        let (from, kind) = (theirs.process, theirs.kind);
        if theirs.wanted != self.setup.process || from <= self.setup.process || from >= self.setup.hosts.len() || kind > 1 {
            return Ok(None);
        }
        // If the jobs differ, this greeting lets the other side also detect and report the difference.
        let _ = self.greet(&mut stream, from, kind);
        self.same_job(from, &theirs)?;
        stream.set_read_timeout(None).map_err(no_socket)?;
        Ok(Some((from, kind, stream)))
    }

    fn greet(&self, stream: &mut TcpStream, wanted: usize, kind: usize) -> io::Result<()> {
        stream.set_read_timeout(Some(GREETING))?;
        let greeting = serde_json::to_vec(&Greeting { process: self.setup.process, wanted, kind, job: self.job() })?;
        let head = [&MAGIC[..], &(greeting.len() as u32).to_le_bytes()].concat();
        stream.write_all(&head).and_then(|()| stream.write_all(&greeting))
    }

    fn job(&self) -> Vec<(String, String)> {
        let mut job = vec![
            ("version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
            ("hosts".to_owned(), self.setup.hosts.join(" ")),
            ("workers".to_owned(), self.setup.workers.to_string()),
        ];
        job.extend(self.setup.job.iter().cloned());
        job
    }

    fn same_job(&self, peer: usize, theirs: &Greeting) -> Result<(), Halt> {
        let mine = self.job();
        let Some((word, value)) = mine.iter().find(|pair| !theirs.job.contains(pair)) else { return Ok(()) };
        let other = theirs.job.iter().find(|(other, _)| other == word).map_or("nothing", |(_, value)| value);
        let short = |text: &str| kibitzer::notation::shorten(text);
        let message = format!("process {peer} differs from this one in its {word}: `{}`, not `{}`", short(other), short(value));
        Err(Halt::fault(message, "start the same program with the same command on every host; only `--process` may differ"))
    }
}

const MAGIC: &[u8; 8] = b"KIBHELO2";
/// Maximum length of a job's description, in bytes.
const LONGEST: u32 = 64 << 20;

/// The first message on a connection: its two processes, its kind, and the job.
#[derive(Serialize, Deserialize)]
struct Greeting {
    process: usize,
    wanted: usize,
    /// The kind of connection: 0 for data, 1 for heartbeats.
    kind: usize,
    job: Vec<(String, String)>,
}

fn read_greeting(stream: &mut TcpStream) -> io::Result<Greeting> {
    let (mut magic, mut length) = ([0; MAGIC.len()], [0; 4]);
    stream.read_exact(&mut magic)?;
    stream.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if &magic != MAGIC || length > LONGEST {
        return Err(io::Error::new(ErrorKind::InvalidData, "no greeting"));
    }
    let mut greeting = Vec::new();
    stream.take(u64::from(length)).read_to_end(&mut greeting)?;
    Ok(serde_json::from_slice(&greeting)?)
}

fn no_socket(error: io::Error) -> Halt {
    Halt::fault(format!("network error: {error}"), "check the hosts file and the network")
}

/// The addresses in a hosts file: one `host:port` per line. Empty lines and comments after `#` are ignored.
pub fn read_hosts(text: &str) -> Result<Vec<String>, Halt> {
    let mut hosts = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let port = line.rsplit_once(':').and_then(|(host, port)| port.parse::<u16>().ok().filter(|_| !host.is_empty()));
        if port.is_none() || line.contains(char::is_whitespace) {
            let message = format!("line {} of the hosts file is not an address: `{}`", at + 1, kibitzer::notation::shorten(line));
            return Err(Halt::fault(message, "write one `host:port` on each line, such as `10.0.0.1:2101`"));
        }
        if hosts.iter().any(|other| other == line) {
            return Err(Halt::fault(
                format!("line {} of the hosts file repeats an earlier line", at + 1),
                "give each process its own address",
            ));
        }
        hosts.push(line.to_owned());
    }
    if hosts.is_empty() {
        return Err(Halt::fault("the hosts file is empty", "write one `host:port` on each line, such as `10.0.0.1:2101`"));
    }
    Ok(hosts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_in_hosts_files_are_reported_with_their_lines() {
        assert_eq!(read_hosts("a:1\n\n# c\n[::1]:22 # here\n").expect("right"), ["a:1", "[::1]:22"]);
        for (text, what) in [("a:1\nb\n", "line 2"), ("a:1\na:1\n", "line 2"), ("", "empty"), ("a:99999", "line 1"), (":1", "line 1")] {
            assert!(read_hosts(text).expect_err("wrong").to_string().contains(what), "{text}");
        }
    }
}
