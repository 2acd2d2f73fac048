//! Texts for `inputRandom...`.

use crate::model::Random;

const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";
const DIGITS: &[u8] = b"0123456789";
const FIRST: &[&str] = &[
    "Ada", "Bilal", "Chiara", "Dmitri", "Elif", "Farah", "Goran", "Hanna", "Ines", "Jonas", "Kofi", "Leila", "Mateo",
    "Nadia", "Oskar", "Priya",
];
const LAST: &[&str] = &[
    "Abebe",
    "Berg",
    "Costa",
    "Dubois",
    "Evans",
    "Fischer",
    "Garcia",
    "Haddad",
    "Ito",
    "Jensen",
    "Kowalski",
    "Lindqvist",
    "Moreau",
    "Novak",
    "Okafor",
    "Patel",
];
const CITIES: &[&str] = &[
    "Accra", "Bergen", "Cusco", "Dakar", "Essen", "Fes", "Graz", "Hanoi", "Izmir", "Jaipur", "Kyoto", "Lima", "Malmo",
    "Nairobi", "Oslo", "Porto",
];
const COUNTRIES: &[&str] = &[
    "Austria", "Brazil", "Chile", "Denmark", "Egypt", "Finland", "Ghana", "Hungary", "India", "Japan", "Kenya",
    "Latvia", "Mexico", "Norway", "Oman", "Peru",
];
const COLOURS: &[&str] = &[
    "amber", "beige", "crimson", "denim", "emerald", "fuchsia", "gold", "indigo", "ivory", "jade", "khaki", "lavender",
    "maroon", "navy", "olive", "purple",
];

/// A text of a kind; `length` counts for letters and digits.
///
/// # Errors
/// When the system has no random numbers.
pub fn text(kind: Random, length: usize) -> Result<String, String> {
    Ok(match kind {
        Random::Text => letters(LETTERS, length)?,
        Random::Number => letters(DIGITS, length)?,
        Random::Email => format!("{}@example.com", letters(LETTERS, 12)?),
        Random::PersonName => format!("{} {}", one(FIRST)?, one(LAST)?),
        Random::CityName => one(CITIES)?.to_owned(),
        Random::CountryName => one(COUNTRIES)?.to_owned(),
        Random::ColorName => one(COLOURS)?.to_owned(),
    })
}

fn letters(alphabet: &[u8], length: usize) -> Result<String, String> {
    let mut bytes = vec![0; length];
    getrandom::fill(&mut bytes).map_err(|why| format!("there are no random numbers: {why}"))?;
    Ok(bytes
        .iter()
        .filter_map(|byte| alphabet.get(usize::from(*byte) % alphabet.len()))
        .map(|byte| char::from(*byte))
        .collect())
}

fn one(list: &[&'static str]) -> Result<&'static str, String> {
    let mut byte = [0];
    getrandom::fill(&mut byte).map_err(|why| format!("there are no random numbers: {why}"))?;
    let [byte] = byte;
    Ok(list.get(usize::from(byte) % list.len()).copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_shape() {
        assert_eq!(text(Random::Text, 31).unwrap().len(), 31);
        assert!(text(Random::Number, 200).unwrap().bytes().all(|byte| byte.is_ascii_digit()));
        assert!(text(Random::Email, 0).unwrap().ends_with("@example.com"));
        assert_eq!(text(Random::PersonName, 0).unwrap().split(' ').count(), 2);
        assert_ne!(text(Random::Text, 40).unwrap(), text(Random::Text, 40).unwrap());
    }
}
