//! A sheet as Markdown, with boards as text.

use std::fmt::Write;

use super::Sheet;

impl Sheet {
    /// The sheet as Markdown, with or without answers.
    pub fn markdown(&self, answers: bool) -> String {
        // A title must be a single line.
        let title = self.title(answers).split_whitespace().collect::<Vec<_>>().join(" ");
        let mut text = format!("# {title}\n\n");
        if answers {
            let _ = writeln!(text, "Every answer was checked. {}.", self.origin());
        } else {
            let _ = writeln!(text, "Name: ______________________________  Date: ______________\n");
            self.rules().iter().for_each(|part| text.push_str(&format!("{part}\n\n")));
            let _ = writeln!(text, "{}", self.task());
        }
        for (at, exercise) in self.exercises.iter().enumerate() {
            let board = exercise.position.ascii.trim_end();
            let _ = writeln!(text, "\n## {}\n\n```text\n{board}\n```", at + 1);
            if answers {
                let _ = writeln!(text, "\n{}", exercise.answer());
                if !exercise.moves().is_empty() {
                    text.push('\n');
                }
                for (number, mv) in exercise.moves().iter().enumerate() {
                    let _ = match self.request.entry.players {
                        1 => writeln!(text, "{}. `{}`", number + 1, mv.text),
                        _ => writeln!(text, "* `{}`", mv.text),
                    };
                }
                let _ = writeln!(text, "\n{}", exercise.counted());
            }
            let _ = writeln!(text, "\n`{}`", self.command(exercise));
        }
        text
    }
}
