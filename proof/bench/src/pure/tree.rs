//! The trees that the core is measured on: a page of rows, the shape that real lists and tables have.

use contract::{Rect, Size};
use screen::{Node, NodeKey, Role, States, Tree, TreeBuilder};

/// The shape of a sample.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    pub nodes: usize,
    /// Whether the backend numbers its elements, as a browser does; an accessibility tree of a phone does not.
    pub keyed: bool,
}

const COLUMNS: usize = 4;
const CELL: (f64, f64) = (320.0, 24.0);

impl Sample {
    /// Rows of five nodes: an item, a wrapper, a text of its own, a button "Delete" as in every other row, its text.
    /// Everything is in view, which is the most work there can be: what is out of view gets no line.
    pub fn tree(self) -> Tree {
        let height = (self.nodes as f64 / 5.0 / COLUMNS as f64 + 1.0) * CELL.1;
        let mut builder = TreeBuilder::new(Size { width: COLUMNS as f64 * CELL.0, height });
        let page = Rect::new(0.0, 0.0, COLUMNS as f64 * CELL.0, height);
        let root = self.push(&mut builder, None, "webview", "Sample".to_owned(), page, States::empty());
        let mut row = 0;
        while builder.len() < self.nodes {
            let (x, y) = ((row % COLUMNS) as f64 * CELL.0, (row / COLUMNS) as f64 * CELL.1);
            let whole = Rect::new(x, y, CELL.0 - 4.0, CELL.1 - 2.0);
            let left = Rect::new(x, y, 220.0, CELL.1 - 2.0);
            let right = Rect::new(x + 230.0, y, 80.0, CELL.1 - 2.0);
            let item = self.push(&mut builder, Some(root), "listitem", String::new(), whole, States::empty());
            let wrapper = self.push(&mut builder, Some(item), "generic", String::new(), whole, States::empty());
            self.push(&mut builder, Some(wrapper), "text", text_of(row), left, States::empty());
            let button =
                self.push(&mut builder, Some(wrapper), "button", "Delete".to_owned(), right, States::INTERACTIVE);
            self.push(&mut builder, Some(button), "text", "Delete".to_owned(), right, States::empty());
            row += 1;
        }
        builder.finish()
    }

    fn push(
        self,
        builder: &mut TreeBuilder,
        parent: Option<u32>,
        role: &str,
        name: String,
        rect: Rect,
        states: States,
    ) -> u32 {
        let number = builder.len() as u64;
        let mut node = Node::new(Role::new(role), name, rect);
        node.states = States::RENDERED | States::VISIBLE | states;
        node.key = self.keyed.then_some(NodeKey { scope: 1, id: number });
        if number.is_multiple_of(5) {
            node.identifier = Some(format!("node-{number}").into());
        }
        builder.push(parent, node)
    }

    /// How many rows there are at least.
    pub const fn rows(self) -> usize {
        self.nodes / 5
    }
}

/// What the text of a row says.
pub fn text_of(row: usize) -> String {
    format!("Row number {row} with some text")
}

/// Every hundredth row reads differently now.
pub fn changed(tree: &Tree) -> Tree {
    let mut builder = TreeBuilder::new(tree.viewport);
    for (place, node) in tree.iter() {
        let mut node = node.clone();
        if place % 500 == 3 {
            node.name = format!("{} (new)", node.name).into();
        }
        let parent = node.parent;
        builder.push(parent, node);
    }
    builder.finish()
}
