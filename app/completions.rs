//! `kibitzer completions SHELL`

use clap_complete::Shell;
use kibitzer::catalog::Games;

use crate::failure::Failure;
use crate::{command, output};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer completions bash > ~/.local/share/bash-completion/completions/kibitzer
  kibitzer completions zsh > ~/.zfunc/_kibitzer
  kibitzer completions fish > ~/.config/fish/completions/kibitzer.fish")]
pub struct Args {
    /// The shell
    shell: Shell,
}

pub fn run(args: Args, games: Games) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(games), "kibitzer", &mut script);
    output::write(&String::from_utf8_lossy(&script), None)
}
