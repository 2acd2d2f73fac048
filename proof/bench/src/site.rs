//! The page that all tools open, and whether a press really arrived there: the page tells this server of each.

use std::{
    collections::HashMap,
    fmt::Write as _,
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Condvar, Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Buttons on the page.
pub const BUTTONS: usize = 490;
/// The button that is pressed stands in the middle.
const PRESSED: usize = 245;
/// What it says.
pub const LABEL: &str = "Tap me";
/// A press that arrived is told of within this.
const ARRIVAL_LIMIT: Duration = Duration::from_secs(5);
/// A client that sends half a request is not waited for any longer.
const READ_LIMIT: Duration = Duration::from_secs(10);

/// A server of one page, on a port that the system picks. It lives as long as the process.
pub struct Site {
    address: SocketAddr,
    presses: Arc<Presses>,
}

#[derive(Default)]
struct Presses {
    by_visitor: Mutex<HashMap<String, usize>>,
    changed: Condvar,
}

impl Site {
    /// Serves from now on.
    ///
    /// # Errors
    /// Where the system has no port left.
    pub fn serve() -> Result<Self, String> {
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|why| why.to_string())?;
        let address = listener.local_addr().map_err(|why| why.to_string())?;
        let presses = Arc::new(Presses::default());
        let shared = presses.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let presses = shared.clone();
                std::thread::spawn(move || answer(&stream, &presses));
            }
        });
        Ok(Self { address, presses })
    }

    /// The page's address for one visitor, whose presses are counted by themselves.
    pub fn address(&self, visitor: &str) -> String {
        format!("http://{}/{visitor}", self.address)
    }

    /// How many presses of a visitor have arrived so far.
    pub fn presses(&self, visitor: &str) -> usize {
        let counts = self.presses.by_visitor.lock().unwrap_or_else(PoisonError::into_inner);
        counts.get(visitor).copied().unwrap_or_default()
    }

    /// Waits until `wanted` presses of a visitor have arrived.
    ///
    /// # Errors
    /// Where they do not, or more do: what was measured was no press then.
    pub fn arrived(&self, visitor: &str, wanted: usize) -> Result<(), String> {
        let deadline = Instant::now() + ARRIVAL_LIMIT;
        let mut counts = self.presses.by_visitor.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let count = counts.get(visitor).copied().unwrap_or_default();
            let left = deadline.saturating_duration_since(Instant::now());
            if count == wanted {
                return Ok(());
            }
            if count > wanted || left.is_zero() {
                return Err(format!("{visitor}: {count} presses arrived where {wanted} were sent"));
            }
            counts = self.presses.changed.wait_timeout(counts, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

fn answer(stream: &TcpStream, presses: &Presses) {
    let _unlimited = stream.set_read_timeout(Some(READ_LIMIT));
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let Some(first) = lines.next() else { return };
    // The head's end, or the client might see a reset before it has written everything.
    let _head = lines.by_ref().find(|line| line.is_empty());
    let mut words = first.split(' ');
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let body = match (method, path.trim_start_matches('/')) {
        ("POST", pressed) => {
            let visitor = pressed.trim_start_matches("pressed/").to_owned();
            *presses.by_visitor.lock().unwrap_or_else(PoisonError::into_inner).entry(visitor).or_default() += 1;
            presses.changed.notify_all();
            String::new()
        }
        (_, "favicon.ico") => String::new(),
        (_, visitor) => page(visitor),
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let mut stream = stream;
    let _visitor_gone = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
}

/// Everything before the buttons.
const STYLE: &str = "<!doctype html><html lang=en><head><meta charset=utf-8><title>Bench</title><style>\
    body{margin:4px;display:grid;grid-template-columns:repeat(26,1fr);gap:1px;font:9px sans-serif}\
    p{grid-column:1/-1;margin:0}button{width:100%;height:20px;padding:0;font:inherit;overflow:hidden}\
    </style></head><body><p id=count>0 presses</p>";

/// 988 elements, 490 of them buttons, all of them in view in a window of 800 x 600 px, so that every tool lists the same.
fn page(visitor: &str) -> String {
    let mut page = STYLE.to_owned();
    for button in 0..BUTTONS {
        let label = if button == PRESSED { LABEL.to_owned() } else { format!("B{button}") };
        let _never_fails = write!(page, "<div><button>{label}</button></div>");
    }
    let _never_fails = write!(
        page,
        "<script>var presses=0;addEventListener('click',function(event){{\
         if(event.target.textContent!=='{LABEL}')return;presses+=1;\
         document.getElementById('count').textContent=presses+' presses';\
         fetch('/pressed/{visitor}',{{method:'POST',keepalive:true}})}})</script></body></html>"
    );
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_the_size_that_the_table_says() {
        let page = page("a");
        assert_eq!(page.matches("<button>").count(), BUTTONS);
        let elements = page.matches('<').count() - page.matches("</").count() - page.matches("<!").count();
        assert_eq!(elements, 988);
    }

    #[test]
    fn a_press_is_counted_for_its_visitor_alone() {
        let site = Site::serve().unwrap();
        for _ in 0..2 {
            let mut stream = TcpStream::connect(site.address).unwrap();
            stream.write_all(b"POST /pressed/a HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        }
        site.arrived("a", 2).unwrap();
        assert_eq!(site.presses("b"), 0);
        assert!(site.arrived("a", 1).unwrap_err().contains("2 presses arrived where 1"));
    }
}
