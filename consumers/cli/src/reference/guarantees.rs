//! What each way to a device guarantees, from the table that the interaction pipeline keeps.

use daemon::interaction::guarantees::{ABSENT, Cell, Guarantee, Path};

use super::cell;

/// The page.
pub fn page() -> String {
    let mut text = String::from(
        "# Guarantees\n\n\
         An input can reach a device by several ways. Each way keeps each of these guarantees, or says why not: a table in \
         which an empty cell does not compile (`daemon/src/interaction/guarantees`). Every cell that is kept is driven on \
         every backend by a scenario made from the same table (`proof/tests/guarantees.rs`).\n\n",
    );
    meanings(&mut text);
    overview(&mut text);
    for path in Path::ALL {
        details(&mut text, *path);
    }
    text.push_str("## Ways that do not exist\n\n| way | why not |\n| --- | --- |\n");
    for (way, why) in ABSENT {
        text.push_str(&format!("| {} | {} |\n", cell(way), cell(why)));
    }
    text
}

fn meanings(text: &mut String) {
    text.push_str("| guarantee | |\n| --- | --- |\n");
    for guarantee in Guarantee::ALL {
        text.push_str(&format!("| {} | {} |\n", guarantee.name(), cell(guarantee.meaning())));
    }
}

fn overview(text: &mut String) {
    text.push_str(
        "\n## At a glance\n\n\
         **yes**: kept. *as X*: kept by going the way X. no: waived. A dash: nothing there that could be kept. A star: \
         with an exception or a limit, see below.\n\n|",
    );
    for path in Path::ALL {
        text.push_str(&format!(" | {}", path.name().0));
    }
    text.push_str(&format!(" |\n| --- |{}\n", " --- |".repeat(Path::ALL.len())));
    for guarantee in Guarantee::ALL {
        text.push_str(&format!("| {}", guarantee.name()));
        for path in Path::ALL {
            text.push_str(&format!(" | {}", short(path.guarantees().of(*guarantee))));
        }
        text.push_str(" |\n");
    }
    text.push('\n');
}

fn short(cell: &Cell) -> String {
    match cell {
        Cell::Kept { note: "", except: [], .. } => "**yes**".into(),
        Cell::Kept { .. } => "**yes** \\*".into(),
        Cell::Delegated(path) => format!("*as {}*", path.name().0),
        Cell::Waived(_) => "no".into(),
        Cell::Inapplicable(_) => "-".into(),
    }
}

fn details(text: &mut String, path: Path) {
    let (name, commands) = path.name();
    text.push_str(&format!("## {name}\n\n{commands}\n\n"));
    let platforms: Vec<_> = path.platforms().iter().map(ToString::to_string).collect();
    text.push_str(&format!("On: {}.\n\n| guarantee | | by, or why not |\n| --- | --- | --- |\n", platforms.join(", ")));
    for guarantee in Guarantee::ALL {
        let of = path.guarantees();
        let (how, why) = long(of.of(*guarantee));
        text.push_str(&format!("| {} | {how} | {} |\n", guarantee.name(), cell(&why)));
    }
    text.push('\n');
}

fn long(of: &Cell) -> (&'static str, String) {
    match of {
        Cell::Kept { by, note, except } => {
            let mut why = super::codes(by.iter().copied());
            if !note.is_empty() {
                why.push_str(&format!("; {note}"));
            }
            for (platform, reason) in *except {
                why.push_str(&format!("; not on {platform}: {reason}"));
            }
            ("kept", why)
        }
        Cell::Delegated(path) => ("delegated", format!("as {}", path.name().0)),
        Cell::Waived(why) => ("waived", (*why).to_owned()),
        Cell::Inapplicable(why) => ("inapplicable", (*why).to_owned()),
    }
}
