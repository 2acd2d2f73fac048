//! What the README promises, on sites that nobody of this project wrote (`proof/pages/tours.toml`): typed as a new user
//! types it, with targets taken from snapshots, each step by its answer and by what it did.
//!
//! `AGENT_DEVICE_TEST_OFFLINE=1`: only archives that were fetched before.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use proof::tour::Tour;

/// What is typed for the Enter key.
const ENTER: &str = "type '\n'";

/// Every one of the words stands in the text.
#[track_caller]
fn shows(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "no {word:?} in\n{text}");
    }
}

/// None of the words stands in the text.
#[track_caller]
fn hides(text: &str, words: &[&str]) {
    for word in words {
        assert!(!text.contains(word), "{word:?} in\n{text}");
    }
}

/// The words stand in the text in this order.
#[track_caller]
fn in_order(text: &str, words: &[&str]) {
    let places: Vec<_> = words.iter().map(|word| text.find(word)).collect();
    assert!(places.is_sorted() && places.iter().all(Option::is_some), "{words:?} are at {places:?} in\n{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_offline_documentation_site() {
    let Some(tour) = Tour::of("documentation").await else { return };
    shows(&tour.open("docs/user/rst/quickref.html", "").await, &["Opened http://127.0.0.1:", "on chrome"]);
    let contents = tour.types("snapshot -i").await;
    shows(&contents, &["Page: Quick reStructuredText", "[link] \"Section Structure\"", "below: "]);
    // The table of contents and the heading that it leads to are called the same.
    let told = tour.is_refused("press 'role=link label=\"Section Structure\"'", "AMBIGUOUS_MATCH").await;
    assert_eq!(told.detail("candidates").as_array().unwrap().len(), 2, "{:#}", told.error);
    tour.is_refused("is visible 'role=heading label=\"Section Structure\"'", "PREDICATE_FAILED").await;

    let first = tour.nth_ref("[link] \"Section Structure\"", 0).await;
    let pressed = tour.types(&format!("press {first} --settle")).await;
    shows(&pressed, &["Pressed", "settled after", "- [heading] \"Quick reStructuredText\"", "[link] \"Bullet Lists\""]);
    shows(&tour.types("is visible 'role=heading label=\"Section Structure\"'").await, &["Passed"]);
    shows(&tour.types("snapshot -i").await, &["quickref.html#section-structure", "above: "]);

    let told = tour.is_refused("find 'Titles are underlined' getText", "AMBIGUOUS_MATCH").await;
    assert_eq!(told.detail("matches"), 2, "{:#}", told.error);
    let text = tour.types("find 'Titles are underlined' --first getText").await;
    shows(&text, &["=====\nTitle\n=====", "Titles are underlined (or over-\nand underlined)"]);

    let scrolled = tour.asks("scroll down --until 'role=heading label=\"Doctest Blocks\"'").await;
    assert!(scrolled["movedY"].as_f64().unwrap() > 500.0, "the page moved a long way: {scrolled}");
    tour.types("is visible 'role=heading label=\"Doctest Blocks\"'").await;
    let again = tour.types("scroll down --until 'role=heading label=\"Doctest Blocks\"'").await;
    shows(&again, &["in view already"]);
    shows(&tour.types("back --settle").await, &["Went back", "settled after"]);
    hides(&tour.types("snapshot -i").await, &["#section-structure"]);
    tour.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_component_gallery() {
    let Some(tour) = Tour::of("gallery").await else { return };
    tour.open("index.html", "").await;
    // Accordion.
    let second = tour.nth_ref("[tab] \"Second\" [collapsed]", 0).await;
    let opened = tour.types(&format!("press {second} --settle")).await;
    shows(&opened, &["[tab] \"Second\" [selected] [focused] [expanded]", "- [tabpanel] \"First\"", "+ ", "Phasellus"]);
    // Autocomplete.
    let offered = tour.types("fill id=autocomplete a --settle").await;
    shows(&offered, &["= \"a\" [focused]", "[text] \"ActionScript\""]);
    tour.types("press label=ActionScript").await;
    assert_eq!(tour.types("get text id=autocomplete").await, "ActionScript\n");
    // Radio buttons that are drawn by their labels.
    tour.types("scroll down --until 'label=\"Book Now!\"'").await;
    let chosen = tour.types("press 'role=radio label=\"Choice 3\"' --settle").await;
    shows(&chosen, &["[radio] \"Choice 3\" [focused] [checked]", "[radio] \"Choice 2\" [unchecked]"]);
    tour.types("is checked 'role=radio label=\"Choice 3\"'").await;
    // A select menu that covers what is below it.
    tour.types("scroll down --pixels 300").await;
    let opened = tour.types("press 'role=combobox label=\"Compact car\"' --settle").await;
    shows(&opened, &["[option] \"Truck\"", "others are covered now"]);
    let covered = tour.nth_ref("[covered by [option] ", 0).await;
    let told = tour.is_refused(&format!("press {covered}"), "ELEMENT_COVERED").await;
    assert_eq!(told.detail("dispatchedSteps"), &serde_json::Value::Null, "{:#}", told.error);
    shows(&tour.types("press 'role=option label=Truck' --settle").await, &["[combobox] \"Truck\""]);
    // What was covered works now.
    tour.types(&format!("press {covered}")).await;
    // Tabs.
    let third = tour.nth_ref("[link] \"Third\"", 0).await;
    shows(&tour.types(&format!("press {third} --settle")).await, &["[tab] \"Third\" [selected]"]);
    tour.types("scroll down --until 'role=heading label=Dialog'").await;
    shows(&tour.screen().await, &["Nam dui erat"]);
    // Dialog.
    shows(&tour.types("press 'label=\"Open Dialog\"' --settle").await, &["+ ", "[dialog] \"Dialog Title\""]);
    shows(&tour.types("press 'role=button label=Ok' --settle").await, &["- [dialog] \"Dialog Title\""]);
    tour.types("is absent 'role=dialog label=\"Dialog Title\"'").await;
    // Slider: its handle has neither role nor name, it is the first thing under the heading.
    tour.types("scroll down --until 'role=heading label=Datepicker'").await;
    let heading = tour.nth_ref("[heading] \"Slider\"", 0).await;
    let handle = tour.nth_ref("[generic]", 0).await;
    let (x, y) = tour.middle(&handle).await;
    assert!(y > tour.middle(&heading).await.1, "the handle is below its heading");
    shows(&tour.types(&format!("swipe {x} {y} {} {y}", x + 200)).await, &["Swiped from"]);
    let (moved, _) = tour.middle(&handle).await;
    assert!((150..=250).contains(&(moved - x)), "the handle moved by {}", moved - x);
    // Date picker.
    tour.types("press 'role=link label=16'").await;
    let day = tour.asks("get attrs 'role=link label=16'").await;
    assert_eq!(day["attributes"]["dom"]["aria-current"], "true", "{day}");
    // Tooltip.
    tour.types("hover label=Tooltips").await;
    tour.types("wait text 'what this widget is' 3000").await;
    tour.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_drag_and_drop_demo() {
    let Some(tour) = Tour::of("drag-and-drop").await else { return };
    tour.open("index.html", "").await;
    let (mine, last) = ("You can move these elements", "There's also the possibility");
    in_order(&tour.screen().await, &[mine, "Moving them anywhere else", "Anything can be moved", last]);
    // Into the other container.
    let from = tour.middle(&tour.nth_ref(mine, 0).await).await;
    let to = tour.middle(&tour.nth_ref(last, 0).await).await;
    shows(&tour.types(&format!("swipe {} {} {} {} --duration-ms 400", from.0, from.1, to.0, to.1)).await, &["Swiped"]);
    in_order(&tour.screen().await, &["Moving them anywhere else", "Anything can be moved", mine]);
    // Out of the window: nothing is sent.
    let told = tour.is_refused("swipe 450 470 5000 470", "OUTSIDE_VIEWPORT").await;
    shows(told.message(), &["(5000, 470)"]);
    in_order(&tour.screen().await, &["Moving them anywhere else", "Anything can be moved", mine]);
    tour.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_canvas_app_saves_what_was_drawn_and_opens_a_window() {
    let Some(tour) = Tour::of("canvas").await else { return };
    tour.open("docs/index.html", "").await;
    let picture = async |name: &str| {
        tour.types(&format!("screenshot {name}")).await;
        std::fs::read(tour.folder().join(name)).unwrap()
    };
    // A ribbon across the corner: the middle of its box is not the ribbon.
    hides(&tour.screen().await, &["covered by"]);
    let empty = picture("empty.png").await;
    let (x, y) = tour.middle(&tour.nth_ref("[canvas]", 0).await).await;
    tour.types(&format!("swipe {} {y} {} {} --duration-ms 200", x - 150, x + 150, y + 60)).await;
    let drawn = picture("drawn.png").await;
    assert_ne!(empty, drawn, "the line is on the picture");
    tour.types("press label=Undo").await;
    assert_ne!(drawn, picture("undone.png").await, "the line is gone");
    tour.types("press label=Redo").await;

    tour.is_refused("downloads --wait-ms 100", "WAIT_TIMEOUT").await;
    tour.types("press 'label=\"Save as PNG\"'").await;
    let saved = tour.types("downloads --wait-ms 5000").await;
    let file = saved.lines().find_map(|line| line.split_once(" (")).unwrap().0;
    assert!(file.ends_with("signature.png"), "{saved}");
    assert!(std::fs::read(file).unwrap().starts_with(b"\x89PNG"), "{file}");

    // The app's window stays empty without its drawing; it is a tab like any other.
    shows(&tour.types("press 'label=\"Open in Window\"'").await, &["Opened: window 2"]);
    shows(&tour.types("windows").await, &["  1: Signature Pad demo", "* 2: "]);
    shows(&tour.types("windows --close 2").await, &["* 1: Signature Pad demo"]);

    tour.types("press label=Clear").await;
    let refused = tour.types("press 'label=\"Save as PNG\"'").await;
    shows(&refused, &["Opened: Please provide a signature first."]);
    tour.is_refused("press label=Clear", "ALERT_OPEN").await;
    shows(&tour.types("alert accept").await, &["Accepted", "Please provide"]);
    tour.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_canvas_app_on_a_phone() {
    let Some(tour) = Tour::of("canvas").await else { return };
    tour.open("docs/index.html", "--mobile 390x844@3").await;
    tour.types("screenshot empty.png").await;
    let (x, y) = tour.middle(&tour.nth_ref("[canvas]", 0).await).await;
    tour.types(&format!("swipe {} {y} {} {}", x - 80, x + 80, y + 30)).await;
    tour.types("screenshot drawn.png").await;
    let read = |name: &str| std::fs::read(tour.folder().join(name)).unwrap();
    assert_ne!(read("empty.png"), read("drawn.png"), "the line is on the picture");
    // Width and height of a PNG: 390 x 844 CSS px at 3 to one.
    assert_eq!(read("drawn.png")[16..24], [0, 0, 4, 146, 0, 0, 9, 228]);
    // The browser takes a touch that comes while a fling runs for its end: the answer says so, the next one is a press.
    let mut pressed = tour.types("press 'label=\"Save as PNG\"'").await;
    if pressed.contains("no click") {
        tour.is_refused("downloads --wait-ms 300", "WAIT_TIMEOUT").await;
        pressed = tour.types("press 'label=\"Save as PNG\"'").await;
    }
    hides(&pressed, &["no click", "Please provide"]);
    shows(&tour.types("downloads --wait-ms 5000").await, &["signature.png"]);
    tour.is_refused("viewport 800 600", "UNSUPPORTED_OPERATION").await;
    tour.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_application() {
    let Some(tour) = Tour::of("application").await else { return };
    tour.open("examples/react/index.html", "").await;
    let field = "'label=\"What needs to be done?\"'";
    // It builds itself after the page has loaded.
    tour.types(&format!("wait {field}")).await;
    for todo in ["milk", "tea", "bread"] {
        tour.types(&format!("fill {field} {todo}")).await;
        tour.types(ENTER).await;
    }
    let told = tour.is_refused(&format!("fill {field} 'two\nlines'"), "INVALID_ARGS").await;
    shows(told.hint(), &["agent-device type"]);
    shows(&tour.types("get text id=todo-count").await, &["3 items left"]);
    assert_eq!(tour.types("find 'items left' getText").await, "3 items left\n");
    in_order(&tour.types("snapshot -s todo-list").await, &["\"milk\"", "\"tea\"", "\"bread\""]);

    let first = tour.nth_ref("[checkbox] \"✔\"", 0).await;
    let done = tour.types(&format!("press {first} --settle")).await;
    shows(&done, &["[checkbox] \"✔\" [focused] [checked]", "2 items left", "[button] \"Clear completed (1)\""]);
    shows(&tour.types("press 'role=link label=Active' --settle").await, &["- [text] \"milk\""]);
    hides(&tour.types("snapshot -s todo-list").await, &["milk"]);
    tour.types("press 'role=link label=All'").await;
    tour.types("press text=tea --double-tap").await;
    tour.types("wait 'role=text-field value=tea focused' 3000").await;
    tour.types("type ' green'").await;
    tour.types(ENTER).await;
    tour.types("wait 'label=\"tea green\"' 3000").await;
    shows(&tour.types("find 'Clear completed' click").await, &["Pressed"]);
    tour.types("wait absent label=milk 3000").await;
    shows(&tour.types("get text id=todo-count").await, &["2 items left"]);
    // It keeps its list in the browser.
    tour.open("examples/react/index.html", "").await;
    tour.types("wait 'label=\"tea green\"'").await;
    in_order(&tour.types("snapshot -s todo-list").await, &["\"tea green\"", "\"bread\""]);
    // The button that deletes is there only under the pointer.
    tour.is_refused("press 'role=button label=✖'", "ELEMENT_NOT_FOUND").await;
    shows(&tour.types("hover label=bread --settle").await, &["[button] \"✖\""]);
    tour.types("press 'role=button label=✖'").await;
    tour.types("wait absent label=bread 3000").await;
    shows(&tour.types("get text id=todo-count").await, &["1 item left"]);
    tour.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_form_with_validation() {
    let Some(tour) = Tour::of("dashboard").await else { return };
    welcomed(&tour, "pages/forms/validation.html").await;
    let refused = tour.types("press label=Submit --settle").await;
    shows(&refused, &["Please enter a email address", "Please provide a password", "Please accept our terms"]);
    tour.types("fill 'label=\"Email address\"' ada").await;
    let short = tour.types("fill label=Password 123 --settle").await;
    shows(&short, &["- [text] \"Please provide a password\"", "Your password must be at least 5 characters long"]);
    hides(&short, &["123\""]);
    shows(&tour.types("press role=checkbox --settle").await, &["[checked]", "- [text] \"Please accept our terms\""]);
    tour.types("fill 'label=\"Email address\"' ada@example.org").await;
    shows(&tour.types("fill label=Password 12345 --settle").await, &["- [text] \"Your password must be"]);
    assert_eq!(tour.types("get text 'label=\"Email address\"'").await, "ada@example.org\n");
    let sent = tour.types("press label=Submit --settle").await;
    shows(&sent, &["Opened: Form successful submitted!", "not settled: a dialog opened"]);
    tour.types("alert accept").await;
    tour.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn form_controls_and_a_file_field() {
    let Some(tour) = Tour::of("dashboard").await else { return };
    welcomed(&tour, "pages/forms/general.html").await;
    std::fs::write(tour.folder().join("photo.png"), "x").unwrap();
    let field = tour.nth_ref("[button] \"File input", 0).await;
    tour.is_refused(&format!("upload {field} missing.png"), "INVALID_ARGS").await;
    shows(&tour.types(&format!("upload {field} photo.png")).await, &["Chose 1 file"]);
    assert_eq!(tour.asks(&format!("get attrs {field}")).await["value"], "photo.png");
    // A switch and a list that are drawn in place of the native ones.
    let switch = "'label=\"Toggle this custom switch element\"'";
    tour.is_refused(&format!("is checked {switch}"), "PREDICATE_FAILED").await;
    tour.types(&format!("press {switch}")).await;
    tour.types(&format!("is checked {switch}")).await;
    let list = tour.types("find 'option 1' list").await;
    shows(&list, &["[combobox]"]);
    let list = list.lines().find(|line| line.contains("[combobox]")).unwrap();
    let list = list.split_whitespace().next().unwrap().split('~').next().unwrap().to_owned();
    tour.is_refused(&format!("fill {list} 'option 9'"), "INVALID_ARGS").await;
    tour.types(&format!("fill {list} 'option 3'")).await;
    assert_eq!(tour.types(&format!("get text {list}")).await, "option 3\n");
    tour.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_modal_dialog_and_what_it_covers() {
    let Some(tour) = Tour::of("dashboard").await else { return };
    welcomed(&tour, "pages/UI/modals.html").await;
    let opened = tour.types("press 'label=\"Launch Default Modal\"' --settle").await;
    // What is new does not drown in what it covers.
    shows(&opened, &["[heading] \"Default Modal\"", "[button] \"Save changes\"", "others are covered now"]);
    shows(&tour.screen().await, &["[button] \"Launch Primary Modal\" [covered by [dialog] "]);
    let told = tour.is_refused("press 'label=\"Launch Primary Modal\"'", "ELEMENT_COVERED").await;
    shows(told.hint(), &["[button] \"Close\""]);
    let close = tour.nth_ref("[button] \"Close\"", 0).await;
    let closed = tour.types(&format!("press {close} --settle")).await;
    shows(&closed, &["- [button] \"Save changes\"", "others are no longer covered"]);
    tour.types("press 'label=\"Launch Primary Modal\"' --settle").await;
    tour.types("is visible 'role=heading label=\"Primary Modal\"'").await;
    tour.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_inside_a_frame() {
    let Some(tour) = Tour::of("dashboard").await else { return };
    welcomed(&tour, "iframe.html").await;
    let opened = tour.types("press 'label=\"Calendar 2\"' --settle").await;
    shows(&opened, &["+ ", "[iframe]", "[heading] \"Draggable Events\""]);
    // The page around it draws over it until it has loaded.
    tour.types("wait absent 'label=\"Tab is loading\" visible' 5000").await;
    tour.types("fill 'label=\"Event Title\"' Picnic").await;
    assert_eq!(tour.types("get text 'label=\"Event Title\"'").await, "Picnic\n");
    shows(&tour.types("press 'role=button label=Add' --settle").await, &["[button] \"Add\" [focused]"]);
    tour.types("press 'label=\"remove after drop\"'").await;
    tour.types("is checked 'label=\"remove after drop\"'").await;
    tour.end().await;
}

/// Opens a page of the dashboard, which greets who comes for the first time with a dialog.
async fn welcomed(tour: &Tour, page: &str) {
    tour.open(page, "").await;
    shows(&tour.types("alert wait").await, &["this file is only created for testing purposes"]);
    tour.types("alert accept").await;
}
