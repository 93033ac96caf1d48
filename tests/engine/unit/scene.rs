//! Scenes as SVG: short numbers, escaped text, and labels as titles.

use kibitzer::limits::Limits;
use kibitzer::scene::{Form, Paint, Scene, inline_style};

#[test]
fn numbers_are_short_and_text_is_escaped() {
    let mut scene = Scene { title: "a < b & \"c\"".into(), width: 10.0, height: 5.5, ..Scene::default() };
    scene.add(Form::Text { x: 1.0, y: 2.0, size: 3.0, text: "<script>".into() }, Paint::Ink);
    scene.add(Form::Rect { x: 1.0, y: 2.505, width: -0.001, height: 10.0 }, Paint::Ink);
    let svg = scene.svg(&Limits::none()).expect("no limit");
    assert!(svg.contains("viewBox=\"0 0 10 5.5\""));
    assert!(svg.contains("<title>a &lt; b &amp; &quot;c&quot;</title>"));
    assert!(svg.contains("x=\"1\" y=\"2.5\" width=\"0\" height=\"10\"") && !svg.contains("<script>"));
}

#[test]
fn an_inline_drawing_leaves_the_style_to_its_document() {
    let mut scene = Scene::default();
    let dot = Form::Circle { x: 1.0, y: 1.0, r: 1.0 };
    scene.add_named(dot.clone(), Paint::Cell, "2");
    scene.add(dot, Paint::Ink);
    let svg = scene.inline(&["2".to_owned()]);
    assert!(!svg.contains("<style") && svg.contains("class=\"p-cell made\"") && svg.contains("class=\"p-ink\""), "{svg}");
    assert!(inline_style().contains(".p-cell{"));
}

#[test]
fn a_tightened_drawing_keeps_sizes_labels_and_margin() {
    let mut scene = Scene { width: 260.0, height: 60.0, ..Scene::default() };
    scene.add(Form::Line { from: (30.0, 30.0), to: (230.0, 30.0) }, Paint::Ink);
    scene.add_named(Form::Circle { x: 230.0, y: 30.0, r: 17.0 }, Paint::Red, "b");
    scene.add_named(Form::Text { x: 230.0, y: 30.0, size: 9.0, text: "b".into() }, Paint::Ink, "b");
    scene.describe("b", "vertex b");
    let scene = scene.without_texts().tightened(30.0, 0.5);
    assert_eq!((scene.width, scene.height, scene.shapes.len()), (160.0, 60.0, 2));
    assert_eq!(scene.shapes[0].form, Form::Line { from: (30.0, 30.0), to: (130.0, 30.0) });
    assert_eq!(scene.shapes[1].form, Form::Circle { x: 130.0, y: 30.0, r: 17.0 });
    assert_eq!(scene.shapes[1].label.as_deref(), Some("vertex b"));
}

#[test]
fn a_label_is_the_title_of_its_shapes() {
    let mut scene = Scene::default();
    let dot = Form::Circle { x: 1.0, y: 1.0, r: 1.0 };
    scene.add_named(dot.clone(), Paint::Cell, "2");
    scene.add_named(dot.clone(), Paint::Block, "2");
    scene.describe("2", "hole 2, mole & more");
    scene.describe("3", "nothing has this name");
    scene.add(dot.clone(), Paint::Ink);
    scene.add_named(dot, Paint::Cell, "4");
    assert_eq!(scene.shapes.iter().filter(|shape| shape.label.is_some()).count(), 1);
    let svg = scene.svg(&Limits::none()).expect("no limit");
    let group = svg.split("<g>").nth(1).and_then(|rest| rest.split("</g>").next()).expect("one group");
    assert!(group.starts_with("<title>hole 2, mole &amp; more</title>"));
    assert_eq!((group.matches("<circle").count(), svg.matches("<circle").count(), svg.matches("<title>").count()), (2, 4, 2));
}
