//! Draws scenes as PNG images, with the feature `png`. A scene has five kinds of shapes in flat colors. The shapes are painted directly, in
//! the light theme, on a white background. The font is embedded in the program, so an image is the same on every machine.

use kibitzer::limits::Limits;
use kibitzer::scene::Scene;

use crate::failure::Failure;

#[cfg(not(feature = "png"))]
pub fn png(_: &Scene, _: &Limits) -> Result<Vec<u8>, Failure> {
    let help = "use an .svg file, or build the program with `cargo install --path app --features png`";
    Err(Failure::input("this program was built without the feature `png`", help))
}

#[cfg(feature = "png")]
pub fn png(scene: &Scene, limits: &Limits) -> Result<Vec<u8>, Failure> {
    painting::png(scene, limits)
}

#[cfg(feature = "png")]
mod painting {
    use kibitzer::limits::Limits;
    use kibitzer::scene::{Form, Scene, Shape};
    use tiny_skia::{Color, FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};
    use ttf_parser::{Face, GlyphId, OutlineBuilder};

    use crate::failure::Failure;

    /// Pixels per scene unit, for sharp images on paper and on high-resolution screens.
    const SCALE: f32 = 2.0;
    /// Maximum number of pixels, which take 400 MB of memory.
    const MOST_PIXELS: f32 = 1e8;
    /// Distance from the vertical center of text down to its baseline, as a fraction of the font size. The SVG files use the same fraction.
    const BASELINE: f32 = 0.35;

    static FONT: &[u8] = include_bytes!("font/sans.ttf");

    pub fn png(scene: &Scene, limits: &Limits) -> Result<Vec<u8>, Failure> {
        let (width, height) = ((scene.width as f32 * SCALE).ceil().max(1.0), (scene.height as f32 * SCALE).ceil().max(1.0));
        let too_large =
            || Failure::input(format!("an image of {width} x {height} pixels is too large"), "use an .svg file, which has no size limit");
        if width * height > MOST_PIXELS {
            return Err(too_large());
        }
        limits.room((width * height) as usize * 4)?;
        let mut pixmap = Pixmap::new(width as u32, height as u32).ok_or_else(too_large)?;
        pixmap.fill(Color::WHITE);
        let font = Face::parse(FONT, 0).map_err(|error| Failure::internal(format!("the font cannot be read: {error}")))?;
        for shape in &scene.shapes {
            limits.check()?;
            paint(&mut pixmap, &font, shape)?;
        }
        pixmap.encode_png().map_err(|error| Failure::internal(format!("the image cannot be written: {error}")))
    }

    fn paint(pixmap: &mut Pixmap, font: &Face, shape: &Shape) -> Result<(), Failure> {
        let [fill, stroke] = shape.paint.by_day().map(color);
        // A shape that covers no area and has no length, such as a polygon of one point, is invisible.
        let Some(path) = path(font, &shape.form)? else { return Ok(()) };
        let scale = Transform::from_scale(SCALE, SCALE);
        if !matches!(shape.form, Form::Line { .. }) {
            pixmap.fill_path(&path, &fill, FillRule::Winding, scale, None);
        }
        if !matches!(shape.form, Form::Text { .. }) {
            let width = shape.paint.stroke_width() as f32;
            pixmap.stroke_path(&path, &stroke, &Stroke { width, line_join: LineJoin::Miter, ..Stroke::default() }, scale, None);
        }
        Ok(())
    }

    /// Parses `#rrggbb`.
    fn color(text: &str) -> Paint<'static> {
        let byte = |at: usize| text.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok()).unwrap_or(0);
        let mut paint = Paint { anti_alias: true, ..Paint::default() };
        paint.set_color_rgba8(byte(1), byte(3), byte(5), 255);
        paint
    }

    fn path(font: &Face, form: &Form) -> Result<Option<Path>, Failure> {
        let point = |(x, y): (f64, f64)| (x as f32, y as f32);
        let path = match form {
            Form::Circle { x, y, r } => PathBuilder::from_circle(*x as f32, *y as f32, *r as f32),
            Form::Rect { x, y, width, height } => {
                Rect::from_xywh(*x as f32, *y as f32, *width as f32, *height as f32).map(PathBuilder::from_rect)
            }
            Form::Polygon { points } => {
                let mut path = PathBuilder::new();
                for (at, (x, y)) in points.iter().copied().map(point).enumerate() {
                    if at == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
                }
                path.close();
                path.finish()
            }
            Form::Line { from, to } => {
                let mut path = PathBuilder::new();
                let ((x1, y1), (x2, y2)) = (point(*from), point(*to));
                path.move_to(x1, y1);
                path.line_to(x2, y2);
                path.finish()
            }
            Form::Text { x, y, size, text } => letters(font, text, *x as f32, *y as f32, *size as f32)?,
        };
        Ok(path)
    }

    /// The outline of text centered at a point. A character missing from the font is an error, not a gap in the image.
    fn letters(font: &Face, text: &str, x: f32, y: f32, size: f32) -> Result<Option<Path>, Failure> {
        let glyph = |letter: char| {
            let missing =
                || Failure::input(format!("the image font has no character `{letter}`"), "use an .svg file, which uses the viewer's fonts");
            font.glyph_index(letter).ok_or_else(missing)
        };
        let glyphs: Vec<GlyphId> = text.chars().map(glyph).collect::<Result<_, _>>()?;
        let scale = size / f32::from(font.units_per_em());
        let advance = |glyph: GlyphId| f32::from(font.glyph_hor_advance(glyph).unwrap_or(0)) * scale;
        let width: f32 = glyphs.iter().map(|&glyph| advance(glyph)).sum();
        let (mut path, mut x, y) = (PathBuilder::new(), x - width / 2.0, y + BASELINE * size);
        for glyph in glyphs {
            let mut outline = Outline(PathBuilder::new());
            font.outline_glyph(glyph, &mut outline);
            // The y axis of the font points up.
            let place = Transform::from_row(scale, 0.0, 0.0, -scale, x, y);
            if let Some(outline) = outline.0.finish().and_then(|outline| outline.transform(place)) {
                path.push_path(&outline);
            }
            x += advance(glyph);
        }
        Ok(path.finish())
    }

    /// The outline of a glyph, in font units.
    struct Outline(PathBuilder);

    impl OutlineBuilder for Outline {
        fn move_to(&mut self, x: f32, y: f32) {
            self.0.move_to(x, y);
        }

        fn line_to(&mut self, x: f32, y: f32) {
            self.0.line_to(x, y);
        }

        fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
            self.0.quad_to(x1, y1, x, y);
        }

        fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
            self.0.cubic_to(x1, y1, x2, y2, x, y);
        }

        fn close(&mut self) {
            self.0.close();
        }
    }
}
