//! Quiet patterns for the command `kernel`: shown as boards, or counted on square boards of many sizes.

use super::reading::read_text;
use super::{Board, Method, Moles, linear};
use crate::drawing::Drawing;
use crate::limits::{Limit, Limits};
use crate::notation::tools::{Exhibit, Exhibits, Kernel};
use crate::notation::{Input, Notation, ReadError, counted};

pub const KERNEL: Kernel = Kernel {
    show,
    empty: |size| format!("size: {size}"),
    columns: &["size", "holes", "rank", "nullity"],
    options: &["wrap", "pattern"],
    row: |size, options, limits| {
        let moles = read_text(&format!("size: {size}x{size}"), options, limits)?;
        let (holes, nullity) = (size * size, moles.orders(limits)?.len() as u64);
        Ok([size, holes, holes - nullity, nullity].map(|number| number.to_string()).to_vec())
    },
};

impl Moles {
    /// The first `count` quiet patterns of a basis.
    pub(super) fn quiet(&self, count: usize, limits: &Limits) -> Result<Vec<Board>, Limit> {
        let patterns = match Method::of(self, limits)? {
            _ if count == 0 => Vec::new(),
            Method::Chase(chase) => self.chased_kernel(&chase, count, limits)?,
            _ => self.solve(&vec![0; self.field.len()], limits)?.map_or_else(|_| Vec::new(), |solved| solved.quiet),
        };
        if patterns.len() < count { Err(Limit::Memory) } else { Ok(patterns.into_iter().take(count).collect()) }
    }
}

fn show(input: &Input<'_>, most: usize) -> Result<Exhibits, ReadError> {
    let (moles, limits) = (Moles::read(input)?, input.limits);
    let orders = moles.orders(limits)?;
    let (count, ways) = (orders.len(), linear::solutions(orders));
    let total = match count {
        0 => "there are none, so every board has at most one solution".to_owned(),
        1 => format!("there is one, so every board that can be cleared has {ways} solutions"),
        _ => format!("there are {count} independent ones, so every board that can be cleared has {ways} solutions"),
    };
    let exhibit = |(at, pattern): (usize, Board)| {
        let hits: usize = pattern.iter().map(|&times| usize::from(times)).sum();
        let (instance, ascii, scene) = (moles.write(&pattern), moles.ascii(&pattern), moles.scene(&pattern, limits)?);
        Ok(Exhibit { title: format!("{}: {}", at + 1, counted(hits, "hit", "hits")), instance, ascii, scene })
    };
    let items = moles.quiet(count.min(most), limits)?.into_iter().enumerate().map(exhibit).collect::<Result<_, Limit>>()?;
    Ok(Exhibits { about: "quiet patterns: hitting all of these holes changes nothing".to_owned(), count, total, items })
}
