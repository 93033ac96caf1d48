//! The search on disk: within a memory limit, and to be gone on with after it was stopped.
//!
//! States ahead are collected by f and g and written as sorted runs when memory is short ([`super::super::frontier`]). When the turn
//! of a pair comes, its runs are merged, each state once and without those that were expanded before. An estimate belongs to the
//! state, so those can only be among the earlier layers with the same f - g. What is left is a finished layer, which stays on
//! disk until the plan is found: it is what later layers are merged against, and what the way back is looked for in.

use std::path::Path;
use std::time::{Duration, Instant};

use kibitzer::search::explore::Layer;

use super::super::checkpoint::{Filed, Manifest};
use super::super::communicator;
use super::super::disk::{DiskExplorer, DiskJob, shares};
use super::super::expand::{Counted, SharedProgress};
use super::super::frontier::DiskFrontier;
use super::super::label::agree;
use super::super::net::Cluster;
use super::super::pace::Pace;
use super::super::table::{Meta, StateFile};
use super::super::{checkpoint::Folder, expand::Frontier};
use super::*;

/// Finished layers are written down in a manifest when f grows, and else so often.
const OFTEN: Duration = Duration::from_secs(5);

/// Searches for a plan of least cost, in a folder. A limit is no error: the checkpoint is there to be gone on with.
pub fn solve(task: Task, meta: Meta, folder: &Path, setup: &Cluster, limits: &Limits) -> Result<(Found, Stats), Halt> {
    let (round, budget) = shares(setup, limits, meta.width)?;
    let (held_folder, held) = Folder::hold(folder, setup.process)?;
    let job = DiskJob { space: Arc::clone(&task.space), meta, folder: folder.to_owned(), label: false, table: None };
    let (limits_of_all, workers, process) = (limits.clone(), setup.workers, setup.process);
    let parts = communicator::run(setup, limits, round, move |comm| {
        let shared: Arc<SharedProgress> = Arc::default();
        let explorer = DiskExplorer {
            job: &job,
            folder: &held_folder,
            limits: &limits_of_all,
            shared: &shared,
            budget,
            process,
            first: comm.index % workers == 0,
        };
        let mut search = Search::new(&task, &limits_of_all);
        let mut lower = 0;
        let found = run(&explorer, &mut search, &mut lower, comm);
        search.sum(found, lower, 0, comm)
    })?;
    drop(held);
    let local: usize = parts.iter().map(|(_, stats)| stats.peak_bytes).sum();
    let (found, stats) = parts.into_iter().next().ok_or_else(|| Halt::fault("no worker was there", "please report it"))?;
    Ok((found, Stats { peak_bytes: local, stored: stats.expanded, ..stats }))
}

/// Cost plus estimate and cost, as the number of a layer: smaller ones come first.
fn number(f: Cost, cost: Cost) -> Result<u32, Halt> {
    if f > 0xffff || cost > 0xffff {
        return Err(Halt::fault("a plan may cost more than 65,535", "leave `--checkpoint` out: searches on disk count no further"));
    }
    Ok(f << 16 | cost)
}

fn pair(number: u32) -> (Cost, Cost) {
    (number >> 16, number & 0xffff)
}

fn run(explorer: &DiskExplorer, search: &mut Search, lower: &mut Cost, comm: &mut Communicator) -> Result<Found, Halt> {
    let estimates = search.estimates(&super::super::explore::single(&search.task.space.start()));
    let estimate = agree(comm, estimates)?[0];
    if estimate == DEAD {
        return Ok(Found::Nothing { states: 0 });
    }
    let first = agree(comm, number(estimate, 0))?;
    let mut manifest = explorer.resume(comm, first)?;
    let mine = route::buckets_of(comm.index, comm.peers);
    let meta = &explorer.job.meta;
    let name = format!("{}-{}-{}", manifest.sequence, explorer.process, comm.index);
    let frontier = DiskFrontier::new(
        explorer.folder.path.clone(),
        meta.clone(),
        Pace::new(explorer.limits, explorer.shared),
        mine.clone(),
        explorer.budget,
        name,
    );
    let mut keeper = DiskKeeper { frontier, cost: 0 };
    let open = |files: &[Filed]| -> Result<Vec<(u32, StateFile)>, Halt> {
        let files = files.iter().filter(|file| file.has(&mine));
        files.map(|file| Ok((file.layer, explorer.folder.open(&file.seal, meta)?))).collect()
    };
    let mut known = agree(comm, open(&manifest.files))?;
    for (layer, run) in agree(comm, open(&manifest.ahead))? {
        keeper.frontier.add_run(layer, run);
    }
    let mut expanded: u64 = manifest.done.iter().map(|counted| counted.counts.states).sum();
    if comm.index == 0 {
        search.stats.expanded = expanded;
        search.stats.generated = manifest.done.iter().map(|counted| counted.counts.moves).sum();
    }
    if !manifest.done.is_empty() {
        // What moves cost in the layers before is not written down.
        search.prices = (0, Cost::MAX);
    }
    let mut written = Instant::now();
    loop {
        let layer = manifest.layer;
        let (f, cost) = pair(layer);
        *lower = f.max(*lower);
        if search.is_refuted(expanded, comm)? {
            return Ok(Found::Refuted);
        }
        let of_layer = |known: &[(u32, StateFile)], layer: u32| -> Vec<StateFile> {
            known.iter().filter(|(of, _)| *of == layer).map(|(_, table)| table.clone()).collect()
        };
        let states: u64 = comm.reduce(&keeper.frontier.begin(layer, &of_layer(&known, layer)))?.into_iter().sum();
        if expanded + states > search.limits.nodes {
            return Ok(Found::Limit(Limit::Nodes, *lower));
        }
        keeper.cost = cost;
        let before = search.stats.generated;
        let goal = search.step(*lower, &mut keeper, comm);
        if let Some(goal) = comm.share(goal)?.into_iter().flatten().min() {
            drop(keeper);
            let prices = comm.reduce(&search.prices)?.into_iter();
            let (least, most) = prices.fold((Cost::MAX, 0), |(least, most), of| (least.min(of.0), most.max(of.1)));
            let mut steps: Vec<u32> = manifest.done.iter().map(|counted| counted.counts.layer).collect();
            steps.push(layer);
            let before = |_: &[u8], cost: Cost, _: &mut Communicator| -> Result<Option<Batches>, Halt> {
                let leads = |paid: Cost| cost.checked_sub(paid).is_some_and(|price| (least..=most).contains(&price));
                let Some(step) = std::iter::from_fn(|| steps.pop()).find(|step| leads(pair(*step).1)) else { return Ok(None) };
                // Only to read from: nothing is put onto it.
                let mut frontier = DiskFrontier::new(
                    explorer.folder.path.clone(),
                    meta.clone(),
                    Pace::new(explorer.limits, explorer.shared),
                    mine.clone(),
                    0,
                    String::new(),
                );
                frontier.begin(step, &of_layer(&known, step));
                Ok(Some(Box::new(move |out, costs| {
                    frontier.take(TOGETHER, out)?;
                    costs.resize(out.len(), pair(step).1);
                    Ok(())
                })))
            };
            return search.retrace(goal, before, comm).map(Found::Path);
        }
        let moves = comm.reduce(&(search.stats.generated - before))?.into_iter().sum();
        expanded += states;
        manifest.done.push(Counted { counts: Layer { layer, states, moves, ..Layer::default() }, ..Counted::default() });
        if !next(&mut manifest, &mut known, &mut keeper.frontier, comm)? {
            return Ok(Found::Nothing { states: expanded });
        }
        let due = pair(manifest.layer).0 > f || written.elapsed() > OFTEN;
        if comm.reduce(&due)?.into_iter().any(|due| due) {
            manifest.ahead = comm.agree(keeper.frontier.save_ahead())?.into_iter().flatten().collect();
            // After a start with another number of workers, several have the same run.
            manifest.ahead.sort_by(|a, b| a.seal.name.cmp(&b.seal.name));
            manifest.ahead.dedup();
            manifest.sequence += 1;
            explorer.commit(comm, &manifest)?;
            keeper.frontier.forget(&manifest.ahead);
            written = Instant::now();
        }
    }
}

/// Settles the next layer that has states which were not expanded before; says no if there is none.
fn next(
    manifest: &mut Manifest,
    known: &mut Vec<(u32, StateFile)>,
    frontier: &mut DiskFrontier,
    comm: &mut Communicator,
) -> Result<bool, Halt> {
    while let Some(layer) = comm.reduce(&frontier.next())?.into_iter().flatten().min() {
        if manifest.done.iter().any(|counted| counted.counts.layer == layer) {
            return Err(Halt::fault("a move costs nothing", "leave `--checkpoint` out: searches on disk need moves that cost something"));
        }
        let (f, cost) = pair(layer);
        let same = |of: u32| pair(of).0 - pair(of).1 == f - cost;
        let earlier: Vec<(u32, StateFile)> = known.iter().filter(|(of, _)| same(*of)).cloned().collect();
        let settled = agree(comm, frontier.settle(layer, &earlier))?;
        let settled = match settled {
            Some((_, table, 0)) => {
                // Nobody will name it.
                let _ = std::fs::remove_file(&table.path);
                None
            }
            settled => settled,
        };
        let files = comm.reduce(&settled.as_ref().map(|(file, _, _)| file.clone()))?;
        known.extend(settled.map(|(_, table, _)| (layer, table)));
        if files.iter().any(Option::is_some) {
            manifest.layer = layer;
            manifest.files.extend(files.into_iter().flatten());
            return Ok(true);
        }
    }
    Ok(false)
}

/// A worker's states ahead, by f and g.
struct DiskKeeper {
    frontier: DiskFrontier,
    /// What the states of the layer under way cost.
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
