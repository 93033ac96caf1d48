//! Commands besides `solve`: the EDCN of a graph, and a table over many graphs.

use serde_json::{Map, Value, json};

use super::{Edge, MOST, Undecided, clash, edcn};
use crate::graph::{Graph, formats};
use crate::limits::Limit;
use crate::notation::tools::{Census, CensusLine, Command, Example, Tool, ToolAnswer, ToolError};
use crate::notation::{Input, OptionSpec, Options, ReadError, Source};

/// The maximum number of vertices for which the EDCN is computed.
const MOST_VERTICES: usize = 2000;
/// The maximum degree for which the EDCN is computed.
const MOST_DEGREE: usize = 250;
/// The maximum number of steps for counting the boards of one graph in a census.
const BOARD_STEPS: u64 = 20_000_000;
/// The maximum number of steps for finding the EDCN of one graph in a census.
const EDCN_STEPS: u64 = 50_000_000;

pub const TOOLS: &[Tool] = &[Tool::Command(Command {
    name: "edcn",
    about: "Find the least number of colors that distinguishes all edges of a graph",
    help: "The edge-distinguishing chromatic number is the least number of colors with which the vertices can be colored so that \
           no two edges have the same pair of colors. Prints the number, a coloring, and the reason why fewer colors are not enough.",
    argument: ("GRAPH", "A graph: a family name, a graph in any supported format, a file, or `-` for standard input"),
    examples: &[
        Example { command: "edcn", arguments: "P17", about: "" },
        Example { command: "edcn", arguments: "petersen --json", about: "" },
        Example { command: "edcn", arguments: "graph.col", about: "a file in any format that the game reads" },
    ],
    run: edcn_of_text,
})];

fn edcn_of_text(input: &Input<'_>) -> Result<ToolAnswer, ToolError> {
    let source = Source::without_comments(input.text);
    let graph = formats::read(&source).and_then(formats::GraphInput::simple)?;
    if graph.max_degree() > MOST_DEGREE || graph.len() > MOST_VERTICES {
        let help = format!("give at most {MOST_VERTICES} vertices, each with at most {MOST_DEGREE} neighbors");
        return Err(source.error(0, "this graph is too large", help).into());
    }
    let found = match edcn(&graph, input.limits) {
        Ok(found) => found,
        Err(Undecided { limit, lower }) => {
            let json = Map::from_iter([("lower".to_owned(), json!(lower))]);
            let text = format!("# undecided, {}: at least {lower} colors are needed\n", limit.words());
            return Ok(ToolAnswer { text, json, steps: 0, limit: Some(limit) });
        }
    };
    check(&graph, &found.coloring, found.colors).map_err(ToolError::SelfCheck)?;
    let reason = found.proof.words(&graph, found.colors - 1);
    let names: Vec<String> = (0..graph.len()).map(|v| graph.name(v)).collect();
    let fewer = match found.colors {
        1 => String::new(),
        2 => format!("# 1 color is not enough: {reason}\n"),
        colors => format!("# {} colors are not enough: {reason}\n", colors - 1),
    };
    let entries: Vec<String> = names.iter().zip(&found.coloring).map(|(name, color)| format!("{name}:{color}")).collect();
    let text = format!("EDCN {}\n# a coloring; checked: no two edges have the same label\n{fewer}{}\n", found.colors, entries.join(" "));
    let Value::Object(json) = json!({
        "edcn": found.colors, "vertices": graph.len(), "edges": graph.edge_count(), "names": names,
        "coloring": found.coloring, "why": reason,
    }) else {
        unreachable!("an object is written above")
    };
    Ok(ToolAnswer { text, json, steps: found.nodes, limit: None })
}

/// Checks a coloring against the definition.
fn check(graph: &Graph, coloring: &[u16], colors: usize) -> Result<(), String> {
    if clash(graph, coloring).is_some() {
        return Err("two edges have the same label".to_owned());
    }
    match coloring.iter().all(|&color| (1..=colors).contains(&usize::from(color))) {
        true => Ok(()),
        false => Err("a vertex has no color, or too many colors are used".to_owned()),
    }
}

pub const CENSUS: Census<Edge> = Census {
    lines: "one graph per line, in graph6 or any other one-line format",
    before: &[("n", "vertices"), ("m", "edges"), ("edcn", "the least number of colors")],
    after: &[("boards", "number of legal boards, with symmetric ones counted separately")],
    options: &[
        OptionSpec { name: "colors", about: "number of colors on every graph, 1 to 64", default: "each graph's EDCN" },
        OptionSpec { name: "misere", about: "a player who cannot move wins", default: "no" },
    ],
    read: read_line,
    rest: |edge, limits| {
        let boards = edge.boards(&limits.with_nodes(BOARD_STEPS));
        vec![boards.ok().flatten().map(|boards| boards.to_string()).unwrap_or_default()]
    },
};

/// Reads the graph in a line and, if the number of colors is known, sets up the game on it.
fn read_line(input: &Input<'_>) -> Result<Option<CensusLine<Edge>>, ReadError> {
    let Some(graph) = formats::line_of_list(input.text)? else { return Ok(None) };
    let source = Source::new(input.text);
    if graph.len() > MOST {
        let message = format!("the game is played on at most {MOST} vertices, but this graph has {}", graph.len());
        return Err(source.error(0, message, "remove this line").into());
    }
    let least = match edcn(&graph, &input.limits.with_nodes(EDCN_STEPS)) {
        Ok(found) => Some(found.colors),
        Err(Undecided { limit: Limit::Nodes, .. }) => None,
        Err(Undecided { limit, .. }) => return Err(limit.into()),
    };
    let fields = vec![graph.len().to_string(), graph.edge_count().to_string(), least.map(|least| least.to_string()).unwrap_or_default()];
    let colors = colors(input.options)?.or(least);
    let misere = input.options.get("misere").is_some_and(|value| value != "no");
    let board = colors.map(|colors| Edge::new(graph, colors, input.limits)).transpose()?;
    Ok(Some(CensusLine { fields, board: board.map(|edge| Edge { misere, ..edge }) }))
}

fn colors(options: &Options) -> Result<Option<usize>, ReadError> {
    Ok(options.integer("colors", 1..=MOST as i64)?.map(|colors| colors as usize))
}

pub const EXAMPLES: &[Example] = &[
    Example { command: "solve", arguments: "P5", about: "the winner on a path of 5 vertices, and the winning moves" },
    Example { command: "solve", arguments: "P5 --position '-,2,1,-,-'", about: "starting from a position" },
    Example { command: "solve", arguments: "--graph petersen", about: "" },
    Example { command: "explore", arguments: "P8", about: "126,621 boards, with the winner of each" },
    Example { command: "graph", arguments: "P4 --format svg -o p4.svg", about: "" },
    Example { command: "graph", arguments: "P5 --format dot | dot -Tpdf > p5.pdf", about: "" },
    Example { command: "graph", arguments: "P5 --unfolded --format json", about: "" },
    Example { command: "graph", arguments: "P8 --position '1,2,-,-,2,-,3,-' --format graphml", about: "" },
    Example { command: "play", arguments: "P7", about: "against best play" },
    Example { command: "play", arguments: "P7 --second", about: "the program moves first" },
    Example { command: "census", arguments: "graphs.g6 -o census.csv", about: "on all cores, with progress" },
    Example { command: "census", arguments: "graphs.g6 -o census.csv --resume", about: "resumes after the last row" },
    Example { command: "census", arguments: "graphs.g6 --misere --colors 4", about: "" },
    Example { command: "solve", arguments: "graphs.g6 --line 7", about: "one graph from a list" },
    Example { command: "graph", arguments: "petersen --board -o petersen.graphml", about: "the graph itself, in another format" },
];
