//! The message that `serve` prints when it is ready: the address of the page, and one for other devices. A terminal also shows a QR code.

use std::io::{IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;

/// Addresses whose routes are looked up. The first address is reserved for documentation, so it uses the default route. The other addresses
/// are in private networks, for machines without a default route.
const SOMEWHERE: [Ipv4Addr; 4] =
    [Ipv4Addr::new(192, 0, 2, 1), Ipv4Addr::new(10, 255, 255, 255), Ipv4Addr::new(192, 168, 255, 255), Ipv4Addr::new(172, 31, 255, 255)];

pub fn greet(bound: SocketAddr) {
    let mut out = std::io::stdout();
    let (here, elsewhere) = addresses(bound, lan_address);
    let _ = writeln!(out, "Kibitzer is at http://{here} (press Ctrl-C to stop)");
    match elsewhere {
        None if bound.ip().is_loopback() => {}
        None => {
            let _ = writeln!(out, "This machine seems to have no network connection, so other devices cannot open the page.");
        }
        Some(there) => {
            let url = format!("http://{there}");
            let _ = writeln!(out, "On other devices on this network, open {url}");
            // Programs that read this output need no QR code.
            if let Some(code) = out.is_terminal().then(|| qr_code(&url)).flatten() {
                let _ = writeln!(out, "\n{code}\n");
            }
        }
    }
    let _ = out.flush();
}

/// The address of the page for this machine, and the address for other machines on the network, if they can reach the server.
fn addresses(bound: SocketAddr, lan: impl Fn() -> Option<IpAddr>) -> (String, Option<String>) {
    let local = format!("localhost:{}", bound.port());
    match bound.ip() {
        ip if ip.is_loopback() => (local, None),
        ip if ip.is_unspecified() => (local, lan().map(|ip| SocketAddr::new(ip, bound.port()).to_string())),
        _ => (bound.to_string(), Some(bound.to_string())),
    }
}

/// This machine's address on its network. Connecting a UDP socket sends nothing: the system only chooses a route, and thereby the source
/// address.
fn lan_address() -> Option<IpAddr> {
    let source = |somewhere: &Ipv4Addr| -> std::io::Result<IpAddr> {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
        socket.connect((*somewhere, 9))?;
        Ok(socket.local_addr()?.ip())
    };
    SOMEWHERE.iter().filter_map(|somewhere| source(somewhere).ok()).find(|ip| !ip.is_loopback() && !ip.is_unspecified())
}

/// A QR code drawn with half blocks. The code is black on white regardless of the terminal's colors, because many phones cannot read other
/// colors.
fn qr_code(text: &str) -> Option<String> {
    let rows = QrCode::new(text).ok()?.render::<Dense1x2>().build();
    let row = |row: &str| format!("\x1b[30;107m{row}\x1b[0m");
    Some(rows.lines().map(row).collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The squares of a printed code, including its light margin: true for the squares that a phone sees as dark.
    fn seen(code: &str) -> Vec<Vec<bool>> {
        let mut squares = Vec::new();
        for row in code.lines() {
            let row = row.strip_prefix("\x1b[30;107m").and_then(|row| row.strip_suffix("\x1b[0m")).expect("black on white");
            squares.push(row.chars().map(|block| "█▀".contains(block)).collect());
            squares.push(row.chars().map(|block| "█▄".contains(block)).collect());
            assert!(row.chars().all(|block| " █▀▄".contains(block)), "{row}");
        }
        squares
    }

    #[test]
    fn qr_codes_decode_to_their_text_and_have_a_margin() {
        for text in ["http://192.168.1.23:8017", "http://[fd00::1234:5678]:65535", "http://10.0.0.2:80"] {
            let squares = seen(&qr_code(text).expect("short enough"));
            let dark = |y: usize, x: usize| squares.get(y).and_then(|row| row.get(x)).copied().unwrap_or(false);
            // The corner of the code is the first dark square.
            let margin = (0..).find(|&at| dark(at, at)).expect("a QR code has dark squares");
            assert_eq!(margin, 4, "QR readers need four light squares around a code");
            let size = squares[0].len() - 2 * margin;
            let grid = rqrr::SimpleGrid::from_func(size, |x, y| dark(y + margin, x + margin));
            let (_, read) = rqrr::Grid::new(grid).decode().expect("it can be read");
            assert_eq!(read, text);
        }
    }

    #[test]
    fn other_devices_see_an_address_that_they_can_reach() {
        let lan = || Some(IpAddr::from([192, 168, 1, 23]));
        let at = |text: &str, lan: &dyn Fn() -> Option<IpAddr>| addresses(text.parse().expect("an address"), lan);
        let expected = |here: &str, there: Option<&str>| (here.to_owned(), there.map(str::to_owned));
        assert_eq!(at("127.0.0.1:8017", &lan), expected("localhost:8017", None));
        assert_eq!(at("[::1]:8017", &lan), expected("localhost:8017", None));
        assert_eq!(at("0.0.0.0:8017", &lan), expected("localhost:8017", Some("192.168.1.23:8017")));
        assert_eq!(at("[::]:80", &lan), expected("localhost:80", Some("192.168.1.23:80")));
        assert_eq!(at("0.0.0.0:8017", &|| None), expected("localhost:8017", None));
        assert_eq!(at("10.1.2.3:8017", &|| None), expected("10.1.2.3:8017", Some("10.1.2.3:8017")));
        assert_eq!(at("[fd00::2]:8017", &lan), expected("[fd00::2]:8017", Some("[fd00::2]:8017")));
    }
}
