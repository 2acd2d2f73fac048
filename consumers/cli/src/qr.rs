//! The QR code that a phone reads to pair over Wi-Fi: Developer options > Wireless debugging > Pair device with QR code.
//!
//! The phone announces itself under the name in the code and takes the password in it, so both are made up here, anew
//! each time, and go to the daemon with the request.

use std::io::{self, IsTerminal, Write};

use contract::{Code, Failure, command::Pair};
use qrcode::{Color, EcLevel, QrCode};

/// What a name or password is made of: letters and digits that need no escape in the code.
const ALPHABET: &[u8] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// Length of the random part of the name. With it and the password the text fits the smallest code that a terminal of
/// 80 x 24 shows together with the steps: version 3, 53 bytes at level L.
const NAME: usize = 6;
/// Length of the password: 60 bits.
const PASSWORD: usize = 12;
/// White modules around the code, as the standard asks for (ISO/IEC 18004, 5.3.8).
const QUIET: i64 = 4;
/// Black on white, whatever the terminal's own colours are, and back.
const COLOURS: [&str; 2] = ["\x1b[38;5;16;48;5;231m", "\x1b[0m"];

/// Makes up a name and a password and shows the code on standard error, for a `pair` that says nothing else.
///
/// # Errors
/// The system gives no random numbers.
pub fn offer(pair: &mut Pair) -> Result<(), Failure> {
    if pair.list || pair.address.is_some() || pair.service.is_some() || pair.password.is_some() {
        return Ok(());
    }
    let (service, password) = (format!("agent-device-{}", random(NAME)?), random(PASSWORD)?);
    let code = code(&service, &password)
        .map_err(|why| Failure::new(Code::Internal, format!("no QR code can be made: {why}")))?;
    let mut out = io::stderr().lock();
    let shown = picture(&code, out.is_terminal());
    // Nobody reads it: the phone cannot either, and the daemon says so in the end.
    let _unread = write!(
        out,
        "{shown}On the phone, in the same network: Settings > Developer options >\nWireless debugging > Pair device with QR code; hold it up to this code.\nWaiting for the phone ...\n"
    );
    pair.service = Some(service);
    pair.password = Some(password);
    Ok(())
}

/// The code in the words that Android reads.
fn code(service: &str, password: &str) -> Result<QrCode, qrcode::types::QrError> {
    QrCode::with_error_correction_level(format!("WIFI:T:ADB;S:{service};P:{password};;"), EcLevel::L)
}

fn random(length: usize) -> Result<String, Failure> {
    let mut bytes = vec![0; length];
    getrandom::fill(&mut bytes)
        .map_err(|why| Failure::new(Code::Internal, format!("the system gives no random numbers: {why}")))?;
    // 32 signs: every one is equally likely.
    Ok(bytes.iter().filter_map(|byte| ALPHABET.get(usize::from(byte % 32))).map(|byte| char::from(*byte)).collect())
}

/// Two rows of modules in one of text.
fn picture(code: &QrCode, coloured: bool) -> String {
    let width = i64::try_from(code.width()).unwrap_or_default();
    let dark = |x: i64, y: i64| {
        let inside = (0..width).contains(&x) && (0..width).contains(&y);
        inside && matches!((usize::try_from(x), usize::try_from(y)), (Ok(x), Ok(y)) if code[(x, y)] == Color::Dark)
    };
    let [begin, end] = if coloured { COLOURS } else { [""; 2] };
    let mut text = String::new();
    for y in (-QUIET..width + QUIET).step_by(2) {
        text.push_str(begin);
        text.extend((-QUIET..width + QUIET).map(|x| match (dark(x, y), dark(x, y + 1)) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        }));
        text.push_str(end);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_fits_a_small_terminal_together_with_the_steps() {
        let mut pair = Pair::default();
        offer(&mut pair).unwrap();
        let (service, password) = (pair.service.clone().unwrap(), pair.password.clone().unwrap());
        let shown = picture(&code(&service, &password).unwrap(), false);
        // Three lines of steps, one for the prompt.
        assert!(shown.lines().count() + 4 <= 24, "{}", shown.lines().count());
        assert!(shown.lines().all(|line| line.chars().count() <= 80));
        assert!(service.starts_with("agent-device-") && password.len() == PASSWORD);
        let mut other = Pair::default();
        offer(&mut other).unwrap();
        assert_ne!((pair.service, pair.password), (other.service, other.password));
    }

    #[test]
    fn every_module_is_drawn_where_it_belongs() {
        let code = code("agent-device-abc234", "abcdefgh2345").unwrap();
        let width = code.width();
        let drawn: Vec<Vec<char>> = picture(&code, false).lines().map(|line| line.chars().collect()).collect();
        for (y, x) in (0..width).flat_map(|y| (0..width).map(move |x| (y, x))) {
            let sign = drawn[(y + 4) / 2][x + 4];
            let upper = (y + 4) % 2 == 0;
            let dark = sign == '█' || sign == if upper { '▀' } else { '▄' };
            assert_eq!(dark, code[(x, y)] == Color::Dark, "at {x}, {y}");
        }
        assert!(drawn[..2].iter().flatten().all(|sign| *sign == ' '), "the quiet zone is white");
    }

    #[test]
    fn what_says_where_the_phone_is_needs_no_code() {
        for mut pair in [
            Pair { list: true, ..Pair::default() },
            Pair { address: Some("192.168.1.5:40001".into()), code: Some("123456".into()), ..Pair::default() },
        ] {
            let before = pair.clone();
            offer(&mut pair).unwrap();
            assert_eq!(pair, before);
        }
    }
}
