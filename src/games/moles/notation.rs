//! Writes, draws and generates moles boards; `reading` reads them.

use serde_json::Value;

use super::chase::Wrap;
use super::field::{FieldShape, Hole};
use super::reading::read_text;
use super::{Board, Moles, bitmaps, census, kernel, lesson, primer};
use crate::bits::bitmap::{is_pbm, read_pbm};
use crate::drawing::{Arranging, Drawing, Editor, Lesson, Primer};
use crate::graph::places::{Arranged, Room};
use crate::graph::{Graph, formats};
use crate::limits::{Limit, Limits};
use crate::notation::tools::{Example, Tool};
use crate::notation::{
    Fault, Generator, Info, Input, LevelSpec, Monster, Notation, OptionSpec, Options, ReadError, Source, counted, shorten,
};
use crate::random::Random;
use crate::rules::Rules;
use crate::scene::{Form, Paint, Scene};

const GENERATE_OPTIONS: &[OptionSpec] = &[
    OptionSpec { name: "size", about: "rows x columns", default: "5x5" },
    OptionSpec { name: "kind", about: "solvable (there is a solution) or any (random moles)", default: "solvable" },
    OptionSpec { name: "states", about: "number of states per hole, 2 to 36", default: "2" },
    OptionSpec { name: "wrap", about: "none, cylinder or torus", default: "none" },
    OptionSpec { name: "pattern", about: "plus, cross, king, ring, or drawn, as in 010/111/010", default: "plus" },
    OptionSpec { name: "missing", about: "places without a hole", default: "" },
    OptionSpec { name: "locked", about: "holes that may not be hit", default: "" },
    OptionSpec { name: "graph", about: "a graph instead of the grid", default: "" },
];

fn generate(random: &mut Random, options: &Options, limits: &Limits) -> Result<Moles, ReadError> {
    let text = match options.get("graph") {
        Some(_) => String::new(),
        None => format!("size: {}", options.get("size").unwrap_or("5x5")),
    };
    let mut moles = read_text(&text, options, limits).map_err(|error| match error {
        ReadError::Text(error) => Fault::new(error.message, error.help).into(),
        other => other,
    })?;
    let states = usize::from(moles.states);
    if solvable(options)? {
        let mut board = moles.start();
        for hole in (0..moles.field.len()).filter(|&hole| moles.field.can_hit(hole)) {
            limits.check()?;
            (0..random.below(states)).for_each(|_| moles.make(&mut board, &(hole as u32)));
        }
        moles.start = board;
    } else {
        for hole in (0..moles.field.len()).filter(|&hole| moles.field.exists(hole)) {
            moles.start[hole] = random.below(states) as u8;
        }
    }
    Ok(moles)
}

/// The option `kind`: `true` if random boards must have a solution.
pub fn solvable(options: &Options) -> Result<bool, Fault> {
    match options.get("kind") {
        None | Some("solvable") => Ok(true),
        Some("any") => Ok(false),
        Some(other) => Err(Fault::new(format!("option `kind` cannot be `{}`", shorten(other)), "give `solvable` or `any`")),
    }
}

impl Notation for Moles {
    const INFO: Info<Self> = Info {
        name: "moles",
        about: "whack-a-mole: a hit toggles a hole and its neighbors; clear the board with the fewest hits",
        rules: "\
A board has m x n holes, numbered row by row from 1. Some of them contain a mole. Hitting a hole, with or without a mole,
toggles that hole and its neighbors above, below, left and right. The goal is to clear the board. The order of hits does not
matter, and a second hit on a hole undoes the first. So a board is a system of linear equations over GF(2): it has no solution or 2^nullity
solutions. Any two differ by a *quiet pattern*, a set of hits that changes nothing: a vector in the system's kernel
(`kibitzer kernel moles` shows them). The answer is a solution with the fewest hits, together with rank and nullity. If there
is no solution, the answer lists a set of holes such that every hit toggles an even number of them, but an odd number must change.

A board is given as rows of 0 and 1, or of `.` and `#`, on separate lines or separated by blanks; or as `size: 4x4` with
`moles: 2 5 6 7` or `moles: all`. Lines before the rows may set options: `wrap: torus`, `states: 3`, ...
A place without a hole is written `_`. Bitmaps in PBM format (P1 or P4) are also read. Boards with more than four million holes
are read and written only as bitmaps: `kibitzer solve moles big.pbm -o hits.pbm`.

Variants: joined sides, other patterns, holes with more than two states (a hit advances a hole to its next state, or from the
last state to 0), missing holes, holes that may not be hit, a target other than the empty board, and any graph instead of the grid, as
in `graph: petersen` or `--graph FILE`, in any format that `edge` reads. The holes of a graph are numbered from 1, unless
its vertices have names other than consecutive numbers; then the holes have these names. `layout: 1 0.1 0.5, 2 0.9 0.5` sets
their positions in the drawing, as x (rightward) and y (downward), each from 0 to 1.

If you know the original assignment, these points are corrected here: over GF(2), the matrix of the 4 x 4 board has
rank 12 (14 is its rank over the real numbers), so its example has 16 solutions, not 2; a system can be solved if
rank(A|s) equals rank(A), while `>=` always holds; elimination must skip columns without a pivot; boards with fewer
than 3 rows are fine; a null vector orthogonal to s means that there is a solution, not that it is the only one; and
larger boards may well have full rank (6, 7, 8, 10, ...).",
        sample: "0100\n1110\n0001\n1101\n",
        sources: &[
            "Question 4, Whack-a-Mole: an assignment for n x n boards, without author or date.",
            "OEIS A159257, A165738: nullity of the n x n board and torus; A075464: the fewest hits with a mole in every hole.",
            "K. Sutner: on any graph, the board with a mole in every hole can be cleared.",
        ],
        options: &[
            OptionSpec {
                name: "answer",
                about: "fewest (a solution with the fewest hits), any (the first solution found), or all (every solution)",
                default: "fewest",
            },
            OptionSpec { name: "limit", about: "maximum number of solutions to list with answer=all", default: "1000" },
            OptionSpec { name: "wrap", about: "join sides: none, cylinder (left and right) or torus", default: "none" },
            OptionSpec {
                name: "pattern",
                about: "plus, cross (no center), king, ring (no center), or drawn, as in 010/111/010",
                default: "plus",
            },
            OptionSpec {
                name: "states",
                about: "number of states per hole, 2 to 36; a hit advances a hole to its next state",
                default: "2",
            },
            OptionSpec { name: "missing", about: "places without a hole, such as 1,4", default: "" },
            OptionSpec { name: "locked", about: "holes that may not be hit, such as 6,7", default: "" },
            OptionSpec { name: "target", about: "clear, full, or rows such as 0110/1001", default: "clear" },
            OptionSpec { name: "graph", about: "a graph instead of the grid: a family (P5), graph6, or the text of a file", default: "" },
        ],
        examples: &[
            Example { command: "solve", arguments: "'0100 1110 0001 1101'", about: "a board on the command line" },
            Example { command: "solve", arguments: "'moles: all' --graph petersen", about: "on any graph" },
            Example { command: "solve", arguments: "big.pbm -o hits.pbm", about: "millions of holes: input and output as bitmaps" },
            Example { command: "kernel", arguments: "--size 9x9", about: "" },
            Example { command: "kernel", arguments: "--size 19x19 -o quiet.svg", about: "" },
            Example { command: "kernel", arguments: "--size 6x6 --option wrap=torus --json", about: "" },
            Example { command: "kernel", arguments: "--sizes 3..50 --wrap torus -o nullity.csv", about: "a table over square boards" },
            Example { command: "census", arguments: "graphs.g6 --line 5..20", about: "only some lines" },
            Example { command: "draw", arguments: "board.txt -o board.pbm", about: "a bitmap with one bit per hole" },
        ],
        generator: Some(Generator { options: GENERATE_OPTIONS, solvable: true, make: generate }),
        levels: Some(&[
            LevelSpec { options: &["size=3x3"], least: 2..=4, guesses: 10..=20 },
            LevelSpec { options: &["size=4x4", "size=3x4"], least: 3..=6, guesses: 22..=55 },
            LevelSpec { options: &["size=5x5"], least: 7..=13, guesses: 65..=160 },
            LevelSpec { options: &["size=7x7", "size=6x7"], least: 18..=32, guesses: 170..=800 },
        ]),
        census: Some(census::CENSUS),
        tools: &[Tool::Kernel(kernel::KERNEL), Tool::Bitmaps(bitmaps::BITMAPS)],
        graph_board: Some(|graph| format!("graph: {graph}\nmoles: all\n")),
        board_graph: |moles| match &moles.field.shape {
            FieldShape::Graph { graph, .. } => Some(moles.named(graph)),
            FieldShape::Grid { .. } => None,
        },
        monsters: &[
            Monster { name: "1500 x 1500", make: |random| rows(random, 1500, 2) },
            Monster { name: "200 x 200", make: |random| rows(random, 200, 2) },
            Monster { name: "60 x 60 with 7 states", make: |random| format!("states: 7\n{}", rows(random, 60, 7)) },
        ],
        ..Info::EMPTY
    };

    fn read(input: &Input<'_>) -> Result<Self, ReadError> {
        let Input { text, options, limits, .. } = *input;
        let source = Source::new(text);
        if matches!(text.as_bytes(), [b'P', b'2' | b'3' | b'5'..=b'7', ..]) {
            let help = "convert it to PBM (`P1` or `P4`): one bit per hole";
            return Err(source.error(0, "this image is not black and white", help).into());
        }
        if is_pbm(text.as_bytes()) {
            let wrong = |(at, message)| source.error(at, message, "a bitmap is `P1`, width, height, and 0 or 1 for each cell");
            return read_text(&bitmaps::to_text(&read_pbm(text.as_bytes()).map_err(wrong)?), options, limits);
        }
        read_text(text, options, limits)
    }

    fn layer_name(&self, layer: u32) -> String {
        counted(layer as usize, "hit", "hits")
    }

    fn write_move(&self, _board: &Board, hole: &u32) -> String {
        self.name(*hole as usize)
    }

    fn move_json(&self, _board: &Board, hole: &u32) -> Value {
        self.name_json(*hole as usize)
    }

    fn write(&self, board: &Board) -> String {
        let mut text = String::new();
        let list = |hole: Hole| {
            let holes: Vec<String> = (0..self.field.len()).filter(|&at| self.field.hole(at) == hole).map(|at| self.name(at)).collect();
            holes.join(" ")
        };
        let mut line = |key: &str, value: String| text.push_str(&format!("{key}: {value}\n"));
        if self.states != 2 {
            line("states", self.states.to_string());
        }
        if self.field.holes.contains(&Hole::Locked) {
            line("locked", list(Hole::Locked));
        }
        if self.target.iter().any(|&state| state != 0) {
            line("target", self.lines(&self.target).join("/"));
        }
        match &self.field.shape {
            FieldShape::Grid { wrap, pattern, .. } => {
                if *wrap != Wrap::None {
                    line("wrap", wrap.name().to_owned());
                }
                if pattern.name != "plus" {
                    line("pattern", pattern.name.clone());
                }
                self.lines(board).iter().for_each(|row| text.extend([row.as_str(), "\n"]));
            }
            FieldShape::Graph { graph, center } => {
                // Vertices without names are written as hole numbers, because their default letters would be read as names.
                let named = if graph.is_named() { graph.clone() } else { self.named(graph) };
                line("graph", formats::write_list(&named));
                if !center {
                    line("pattern", "cross".to_owned());
                }
                if self.field.holes.contains(&Hole::Missing) {
                    line("missing", list(Hole::Missing));
                }
                line("board", self.lines(board).join(""));
                if let Some(layout) = self.layout.write(&|hole| self.name(hole)) {
                    line("layout", layout);
                }
            }
        }
        text
    }

    fn ascii(&self, board: &Board) -> String {
        let (rows, columns) = self.sides();
        if rows > 60 || columns > 120 {
            let moles = board.iter().filter(|&&state| state != 0).count();
            return format!("{rows} x {columns} holes, {moles} not empty");
        }
        let lines = self.lines(board).join("\n").replace('_', " ");
        if self.states == 2 { lines.replace('0', ".").replace('1', "#") } else { lines }
    }
}

impl Drawing for Moles {
    const LESSON: Option<Lesson<Self>> = Some(Lesson {
        explain: lesson::explain,
        show_proof: |board, _, certificate| lesson::show_proof(board, certificate),
        measure: Some(lesson::measure),
    });

    const EDITOR: Option<Editor<Self>> = Some(Editor {
        brushes: lesson::brushes,
        canvas: lesson::canvas,
        paint: lesson::paint,
        arranging: Some(Arranging { place: Moles::place, brushes: lesson::POINTS, paint: lesson::paint_at }),
        dragging: None,
    });

    const PRIMER: Option<Primer<Self>> = Some(primer::PRIMER);

    fn scene(&self, board: &Board, limits: &Limits) -> Result<Scene, Limit> {
        limits.check()?;
        let moles = board.iter().filter(|&&state| state != 0).count();
        let (rows, columns) = self.sides();
        let mut size = (40.0 * columns as f64 + 20.0, 40.0 * rows as f64 + 20.0);
        let places: Vec<(f64, f64)> = match &self.field.shape {
            FieldShape::Grid { columns, .. } => {
                (0..self.field.len()).map(|at| (40.0 * (at % columns) as f64 + 30.0, 40.0 * (at / columns) as f64 + 30.0)).collect()
            }
            FieldShape::Graph { graph, .. } => {
                let arranged = self.arranged(graph, limits)?;
                size = (arranged.width, arranged.height);
                arranged.points
            }
        };
        let moles = counted(moles, "mole", "moles");
        let title = match &self.field.shape {
            FieldShape::Grid { .. } => format!("Whack-a-mole: {rows} x {columns} holes, {moles}"),
            FieldShape::Graph { graph, .. } => format!("Whack-a-mole on a graph of {}, {moles}", counted(graph.len(), "hole", "holes")),
        };
        let mut scene = Scene { title, width: size.0, height: size.1, ..Scene::default() };
        if let FieldShape::Graph { graph, .. } = &self.field.shape {
            for (u, v) in graph.edges().filter(|&(u, v)| self.field.exists(u) && self.field.exists(v)) {
                scene.check(limits)?;
                let ends = [&self.name(u), &self.name(v)];
                scene.add_between(Form::Line { from: places[u], to: places[v] }, Paint::Ink, ends.map(String::as_str));
            }
            scene.movable = (0..graph.len()).filter(|&at| self.field.exists(at)).map(|at| self.name(at)).collect();
        }
        for (at, &(x, y)) in places.iter().enumerate().filter(|(at, _)| self.field.exists(*at)) {
            scene.check(limits)?;
            let name = self.name(at);
            let ground = if self.target[at] != 0 { Paint::Mark } else { Paint::Cell };
            match &self.field.shape {
                FieldShape::Grid { .. } => {
                    scene.add_named(Form::Rect { x: x - 18.0, y: y - 18.0, width: 36.0, height: 36.0 }, ground, name.clone());
                }
                FieldShape::Graph { .. } => scene.add_named(Form::Circle { x, y, r: 16.0 }, ground, name.clone()),
            }
            if board[at] != 0 {
                scene.add_named(Form::Circle { x, y, r: 12.0 }, Paint::Block, name.clone());
            }
            if let (FieldShape::Graph { .. }, 2) = (&self.field.shape, self.states) {
                let paint = if board[at] != 0 { Paint::Cell } else { Paint::Ink };
                scene.add_named(Form::Text { x, y, size: 12.0, text: name.clone() }, paint, name.clone());
            }
            if self.states > 2 && board[at] != 0 {
                let digit = char::from_digit(u32::from(board[at]), 36).expect("below 36").to_string();
                scene.add_named(Form::Text { x, y, size: 14.0, text: digit }, Paint::Cell, name.clone());
            }
            if !self.field.can_hit(at) {
                let corner = |dx: f64| Form::Line { from: (x - 14.0 * dx, y - 14.0), to: (x + 14.0 * dx, y + 14.0) };
                scene.add_named(corner(1.0), Paint::Red, name.clone());
                scene.add_named(corner(-1.0), Paint::Red, name.clone());
            }
            scene.describe(&name, self.label(at, board[at]));
        }
        Ok(scene)
    }

    fn clicks(&self, _board: &Board, hole: &u32) -> Vec<String> {
        vec![self.name(*hole as usize)]
    }
}

impl Moles {
    /// The graph with the holes' names.
    fn named(&self, graph: &Graph) -> Graph {
        let mut graph = graph.clone();
        graph.set_names(Some((0..graph.len()).map(|at| self.name(at)).collect()));
        graph
    }

    /// The positions of a graph's holes in the drawing.
    pub(super) fn arranged(&self, graph: &Graph, limits: &Limits) -> Result<Arranged, Limit> {
        let room = Room { apart: 50.0, edge: 50.0, clear: 19.0, margins: [30.0, 30.0, 30.0], width: 0.0 };
        Arranged::new(graph, &self.layout, &room, limits)
    }

    fn place(&self, board: &Board, name: &str, to: (f64, f64), limits: &Limits) -> Result<Option<String>, Limit> {
        let known = self.field.shape.find(name).filter(|&hole| self.field.exists(hole) && self.name(hole) == name);
        let (FieldShape::Graph { graph, .. }, Some(hole)) = (&self.field.shape, known) else { return Ok(None) };
        let layout = self.arranged(graph, limits)?.moved(hole, to);
        let moved = Moles::new(self.field.clone(), self.states, board.clone(), self.target.clone(), self.wanted);
        Ok(Some(Moles { layout, ..moved }.write(board)))
    }

    /// The content of a hole, in words.
    fn label(&self, at: usize, state: u8) -> String {
        let word = |state: u8| match (state, self.states) {
            (0, _) => "empty".to_owned(),
            (_, 2) => "mole".to_owned(),
            (state, _) => format!("state {state}"),
        };
        let target = if self.target[at] == 0 { String::new() } else { format!(", target {}", word(self.target[at])) };
        let locked = if self.field.can_hit(at) { "" } else { ", locked" };
        format!("hole {}, {}{target}{locked}", self.name(at), word(state))
    }

    /// The numbers of rows and columns; a graph counts as one row.
    fn sides(&self) -> (usize, usize) {
        match &self.field.shape {
            FieldShape::Grid { rows, columns, .. } => (*rows, *columns),
            FieldShape::Graph { graph, .. } => (1, graph.len()),
        }
    }

    /// The rows of a board as text.
    fn lines(&self, board: &Board) -> Vec<String> {
        let (_, columns) = self.sides();
        let character = |at: usize| match self.field.exists(at) {
            true => char::from_digit(u32::from(board[at]), 36).expect("at most 36 states"),
            false => '_',
        };
        (0..board.len()).step_by(columns).map(|start| (start..start + columns).map(character).collect()).collect()
    }
}

/// The rows of a random square board.
fn rows(random: &mut Random, size: usize, states: usize) -> String {
    let row = |random: &mut Random| (0..size).map(|_| char::from(b'0' + random.below(states) as u8)).chain(['\n']).collect::<String>();
    (0..size).map(|_| row(random)).collect()
}
