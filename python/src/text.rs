//! How games written in Python are written and drawn unless they draw themselves: as the text that `str` makes of a state.

use kibitzer::scene::{Form, Paint, Scene};

/// Implements what is the same for problems and for games: both have a `core`.
macro_rules! shown_as_text {
    ($game:ty, $name:literal, $about:literal) => {
        impl kibitzer::notation::Notation for $game {
            const INFO: kibitzer::notation::Info<Self> = kibitzer::notation::Info {
                name: $name,
                about: $about,
                verified_states: crate::session::VERIFIED_STATES,
                ..kibitzer::notation::Info::EMPTY
            };

            fn name(&self) -> &'static str {
                self.core.name
            }

            fn read(_: &kibitzer::notation::Input<'_>) -> Result<Self, kibitzer::notation::ReadError> {
                let message = concat!($about, " is not read from a text").to_owned();
                Err(kibitzer::notation::OptionError { message, help: "make an object of its class".to_owned() }.into())
            }

            fn write(&self, state: &State) -> String {
                self.core.text(state)
            }

            fn write_move(&self, _: &State, mv: &Move) -> String {
                mv.text()
            }

            fn ascii(&self, state: &State) -> String {
                self.core.text(state)
            }
        }

        impl kibitzer::drawing::Drawing for $game {
            fn scene(&self, state: &State, limits: &Limits) -> Result<kibitzer::scene::Scene, Limit> {
                limits.check()?;
                Ok(crate::text::text_scene(self.core.name, &self.core.text(state)))
            }

            fn clicks(&self, _: &State, mv: &Move) -> Vec<String> {
                vec![mv.text()]
            }
        }
    };
}
pub(crate) use shown_as_text;

/// A state as its text.
pub fn text_scene(title: &str, text: &str) -> Scene {
    let lines: Vec<&str> = text.lines().collect();
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let (width, height) = (11.0 * longest as f64 + 24.0, 22.0 * lines.len().max(1) as f64 + 18.0);
    let mut scene = Scene { title: title.to_owned(), width, height, ..Scene::default() };
    for (at, line) in lines.iter().enumerate() {
        let form = Form::Text { x: width / 2.0, y: 22.0 * at as f64 + 20.0, size: 16.0, text: (*line).to_owned() };
        scene.add(form, Paint::Ink);
    }
    scene
}
