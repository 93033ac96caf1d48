//! The search on disk: within a memory limit, and resumable after a stop.
//!
//! Open states are collected by f and g, and written as sorted runs when memory is short ([`super::super::frontier`]). When a pair of f and
//! g is the least one left, its runs are merged, without duplicates and without states that were already expanded. The estimate depends
//! only on the state, so such states can only be in earlier layers with the same f - g. The remaining states are a finished layer, which
//! stays on disk until the plan is found: later layers are compared with it, and the plan is traced back through it.

use std::path::Path;
use std::time::{Duration, Instant};

use kibitzer::search::explore::Layer;

use super::super::checkpoint::Manifest;
use super::super::disk::{self, DiskExplorer, DiskJob};
use super::super::expand::{Counted, Frontier};
use super::super::frontier::DiskFrontier;
use super::super::net::Cluster;
use super::super::table::{Meta, StateFile};
use super::*;

/// Interval between manifests while f does not grow. When f grows, a manifest is always written.
const OFTEN: Duration = Duration::from_secs(5);

/// Searches for a least-cost plan, with its states in `folder`. Reaching a limit is not an error, because the checkpoint can be resumed.
pub fn solve(task: Task, meta: Meta, folder: &Path, setup: &Cluster, limits: &Limits) -> Result<(PackedOutcome, Stats), Halt> {
    let job = DiskJob { space: Arc::clone(&task.space), meta, folder: folder.to_owned(), label: false, table: None };
    let parts = disk::run(job, Arc::default(), setup, limits, move |explorer, comm| {
        let mut search = Search::new(&task, explorer.limits);
        let mut lower = 0;
        let found = run(explorer, &mut search, &mut lower, comm);
        search.sum(found, lower, 0, comm)
    })?;
    let (found, stats) = of_process(parts)?;
    Ok((found, Stats { stored: stats.expanded, ..stats }))
}

/// Packs f and the cost into a layer number. Layers are processed in ascending order: by f, then by cost.
fn number(f: Cost, cost: Cost) -> Result<u32, Halt> {
    if f > 0xffff || cost > 0xffff {
        return Err(Halt::fault("a plan may cost more than 65,535", "omit `--checkpoint`; searches on disk do not support larger costs"));
    }
    Ok(f << 16 | cost)
}

fn pair(number: u32) -> (Cost, Cost) {
    (number >> 16, number & 0xffff)
}

fn run(explorer: &DiskExplorer, search: &mut Search, lower: &mut Cost, comm: &mut Communicator) -> Result<PackedOutcome, Halt> {
    let estimates = search.estimates(&super::super::explore::single(&search.task.space.start()));
    let estimate = comm.agree(estimates)?[0];
    if estimate == DEAD {
        return Ok(PackedOutcome::Nothing { states: 0 });
    }
    let first = comm.agree(number(estimate, 0))?;
    let mut manifest = explorer.resume(comm, first)?;
    let mut keeper = DiskKeeper { frontier: explorer.frontier(comm, &manifest)?, cost: 0 };
    let mut known = explorer.open(comm, &manifest.files, &|_| true)?;
    let mut expanded: u64 = manifest.done.iter().map(|counted| counted.counts.states).sum();
    if comm.index == 0 {
        search.stats.expanded = expanded;
        search.stats.generated = manifest.done.iter().map(|counted| counted.counts.moves).sum();
    }
    if !manifest.done.is_empty() {
        // The costs of moves in earlier layers are not recorded.
        search.prices = (0, Cost::MAX);
    }
    let mut written = Instant::now();
    loop {
        let layer = manifest.layer;
        let (f, cost) = pair(layer);
        *lower = f.max(*lower);
        if search.is_refuted(expanded, comm)? {
            return Ok(PackedOutcome::Refuted);
        }
        let states = comm.sum(keeper.frontier.begin(layer, &known))?;
        if expanded + states > search.limits.nodes {
            return Ok(PackedOutcome::Limit(Limit::Nodes, *lower));
        }
        keeper.cost = cost;
        let before = search.stats.generated;
        let goal = search.step(*lower, &mut keeper, comm);
        if let Some(goal) = comm.collect(Ok(goal))?.into_iter().flatten().min() {
            drop(keeper);
            let (least, most) = comm.collect(Ok(search.prices))?.into_iter().fold((Cost::MAX, 0), |a, b| (a.0.min(b.0), a.1.max(b.1)));
            let mut steps: Vec<u32> = manifest.done.iter().map(|counted| counted.counts.layer).collect();
            steps.push(layer);
            let mut before = |_: &[u8], cost: Cost, comm: &mut Communicator| -> Result<Option<Batches>, Halt> {
                let leads = |paid: Cost| cost.checked_sub(paid).is_some_and(|price| (least..=most).contains(&price));
                let Some(step) = std::iter::from_fn(|| steps.pop()).find(|step| leads(pair(*step).1)) else { return Ok(None) };
                let mut reader = explorer.reader(comm, 0, String::new());
                reader.begin(step, &known);
                Ok(Some(Box::new(move |out, costs| {
                    reader.take(TOGETHER, out)?;
                    costs.resize(out.len(), pair(step).1);
                    Ok(())
                })))
            };
            return search.retrace(goal, &mut before, comm).map(PackedOutcome::Path);
        }
        let moves = comm.sum(search.stats.generated - before)?;
        expanded += states;
        manifest.done.push(Counted { counts: Layer { layer, states, moves, ..Layer::default() }, ..Counted::default() });
        if !next(&mut manifest, &mut known, &mut keeper.frontier, comm)? {
            return Ok(PackedOutcome::Nothing { states: expanded });
        }
        let due = pair(manifest.layer).0 > f || written.elapsed() > OFTEN;
        if comm.any(due)? {
            let ahead = comm.collect(keeper.frontier.save_ahead())?;
            explorer.commit_ahead(comm, &mut manifest, ahead, &mut keeper.frontier)?;
            written = Instant::now();
        }
    }
}

/// Writes the next layer that has new states. Returns false if there is no such layer.
fn next(
    manifest: &mut Manifest,
    known: &mut Vec<(u32, StateFile)>,
    frontier: &mut DiskFrontier,
    comm: &mut Communicator,
) -> Result<bool, Halt> {
    while let Some(layer) = comm.least(frontier.next())? {
        if manifest.done.iter().any(|counted| counted.counts.layer == layer) {
            return Err(Halt::fault(
                "a move costs nothing",
                "omit `--checkpoint`; a search on disk requires every move to have a positive cost",
            ));
        }
        let (f, cost) = pair(layer);
        let same = |of: u32| pair(of).0 - pair(of).1 == f - cost;
        let earlier: Vec<(u32, StateFile)> = known.iter().filter(|(of, _)| same(*of)).cloned().collect();
        let (files, table) = disk::settle(layer, &earlier, frontier, comm)?;
        known.extend(table);
        if !files.is_empty() {
            manifest.layer = layer;
            manifest.files.extend(files);
            return Ok(true);
        }
    }
    Ok(false)
}

/// A worker's open states, by f and g.
struct DiskKeeper {
    frontier: DiskFrontier,
    /// The cost g of the states in the current layer.
    cost: Cost,
}

impl Keeper for DiskKeeper {
    fn take(&mut self, most: usize, out: &mut Batch, costs: &mut Vec<Cost>) -> Result<(), Halt> {
        self.frontier.take(most, out)?;
        costs.resize(out.len(), self.cost);
        Ok(())
    }

    fn put(&mut self, states: &Batch, costs: &[Cost], search: &Search) -> Result<(), Halt> {
        let estimates = search.estimates(states)?;
        let mut layers = Vec::with_capacity(costs.len());
        for (at, (&cost, &estimate)) in costs.iter().zip(&estimates).enumerate() {
            if estimate != DEAD {
                layers.push((number(cost.saturating_add(estimate), cost)?, at));
            }
        }
        layers.sort_unstable();
        let mut batch = Batch::new(states.width());
        for same in layers.chunk_by(|a, b| a.0 == b.0) {
            batch.clear();
            same.iter().for_each(|&(_, at)| batch.push(|out| out.copy_from_slice(states.get(at))));
            self.frontier.put(same[0].0, &batch, 0..batch.len())?;
        }
        Ok(())
    }

    fn bytes(&mut self) -> Result<usize, Halt> {
        Ok(self.frontier.bytes())
    }
}
