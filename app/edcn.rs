//! `kibitzer edcn GRAPH`: the edge-distinguishing chromatic number, with its witness.

use std::path::Path;

use kibitzer::games::edge::{Undecided, edcn};
use kibitzer::graph::formats;
use kibitzer::limits::Limit;
use kibitzer::notation::{ReadError, Source};
use serde_json::json;

use crate::effort::Effort;
use crate::failure::{Failure, SOLVED, SPACE_LIMIT, TIME_LIMIT};
use crate::{input, output};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer edcn P17
  kibitzer edcn petersen --json
  kibitzer edcn graph.col          a file in any format that the game `edge` reads

The edge-distinguishing chromatic number is the least number of colors for which the vertices can be colored so that no two
edges have the same pair of colors. Printed are the number, such a coloring, and the reason why fewer colors do not do.")]
pub struct Args {
    /// A graph: a family's name, a graph in some format, a file with one, or `-` for standard input
    graph: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    effort: Effort,
}

pub fn run(args: Args) -> Result<u8, Failure> {
    let (origin, text) = match args.graph.as_str() {
        "-" => ("standard input", input::read_all(std::io::stdin(), "standard input")?),
        name if Path::new(name).exists() => {
            let file = std::fs::File::open(name).map_err(|error| input::cannot_read(name, &error))?;
            (name, input::read_all(file, name)?)
        }
        text => ("the graph on the command line", text.to_owned()),
    };
    let read = formats::read(&Source::without_comments(&text)).and_then(formats::Reading::simple);
    let graph = read.map_err(|error| Failure::reading(origin, &ReadError::Text(error)))?;
    if graph.max_degree() > 250 || graph.len() > 2000 {
        return Err(Failure::input("this graph is too large", "give at most 2000 vertices, each with at most 250 neighbors"));
    }
    let (found, seconds) = args.effort.spend("edcn", None, |limits| edcn(&graph, limits));
    let found = match found {
        Ok(found) => found,
        Err(Undecided { limit, lower: least }) => {
            if args.json {
                output::write(&format!("{}\n", json!({"verdict": "unknown", "lower": least})), None)?;
            } else {
                output::write(&format!("# not decided: at least {least} colors are needed\n"), None)?;
            }
            return Ok(if limit == Limit::Time { TIME_LIMIT } else { SPACE_LIMIT });
        }
    };
    // The witness is checked from the definition before it is shown.
    let label = |(u, v): (usize, usize)| {
        let (a, b) = (found.coloring[u], found.coloring[v]);
        (a.min(b), a.max(b))
    };
    let mut labels: Vec<(u8, u8)> = graph.edges().map(label).collect();
    labels.sort_unstable();
    if labels.windows(2).any(|two| two[0] == two[1]) || found.coloring.iter().any(|&c| c == 0 || c as usize > found.colors) {
        return Err(Failure::internal("a coloring did not pass its check"));
    }
    let reason = found.proof.words(&graph, found.colors - 1);
    let text = if args.json {
        let names: Vec<String> = (0..graph.len()).map(|v| graph.name(v)).collect();
        let object = json!({
            "verdict": "solved", "edcn": found.colors, "vertices": graph.len(), "edges": graph.edge_count(), "names": names,
            "coloring": found.coloring, "why": reason, "verified": true, "stats": {"expanded": found.nodes, "seconds": seconds},
        });
        format!("{object}\n")
    } else {
        let entries: Vec<String> = (0..graph.len()).map(|v| format!("{}:{}", graph.name(v), found.coloring[v])).collect();
        let steps = kibitzer::report::grouped(found.nodes);
        let fewer = match found.colors {
            1 => String::new(),
            colors => format!("# {} do not suffice: {reason}\n", colors - 1),
        };
        format!(
            "EDCN {}\n# a coloring, all {} labels checked to differ; {steps} steps, {}\n{fewer}{}\n",
            found.colors,
            labels.len(),
            kibitzer::report::duration(seconds),
            entries.join(" ")
        )
    };
    output::write(&text, None)?;
    Ok(SOLVED)
}
