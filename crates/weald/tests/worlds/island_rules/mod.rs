//! The rules of the island world, written anew: nothing here asks the program how it is done.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use weald::catalogue::Cells;
use weald::core::{Dir8, Grid};
use weald::world::island::Island;
use weald::world::island::params::Distance;

/// Nothing, or the first rule that is broken.
pub(crate) type Verdict = Result<(), String>;

fn ensure(holds: bool, broken: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(broken()) }
}

/// A map by the number of its cells.
#[derive(Clone, Copy)]
struct Map {
    w: usize,
    h: usize,
}

impl Map {
    fn of(island: &Island) -> Self {
        Self { w: island.frame.width, h: island.frame.height }
    }

    fn cells(self) -> std::ops::Range<usize> {
        0..self.w * self.h
    }

    fn edge(self, i: usize) -> bool {
        let (x, y) = (i % self.w, i / self.w);
        x == 0 || y == 0 || x + 1 == self.w || y + 1 == self.h
    }

    /// The cell that lies there, if it is on the map.
    fn step(self, i: usize, dx: i64, dy: i64) -> Option<usize> {
        let (x, y) = ((i % self.w) as i64 + dx, (i / self.w) as i64 + dy);
        let on_map = x >= 0 && y >= 0 && x < self.w as i64 && y < self.h as i64;
        on_map.then(|| y as usize * self.w + x as usize)
    }

    /// The neighbours on the map, and how long the step is.
    fn around(self, i: usize) -> impl Iterator<Item = (usize, f64)> {
        let steps = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))).filter(|&s| s != (0, 0));
        steps.filter_map(move |(dx, dy)| {
            let length = if dx != 0 && dy != 0 { std::f64::consts::SQRT_2 } else { 1.0 };
            self.step(i, dx, dy).map(|n| (n, length))
        })
    }

    /// The cell that a direction of the layer `flow_direction` leads to: east is 0, clockwise, north-east is 7.
    fn downstream(self, i: usize, d: Dir8) -> Option<usize> {
        const STEPS: [(i64, i64); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
        STEPS.get(d.0 as usize).and_then(|&(dx, dy)| self.step(i, dx, dy))
    }

    fn place(self, i: usize) -> String {
        format!("({}, {})", i % self.w, i / self.w)
    }
}

/// Land that nobody drew: the share to one cell, no land on the border if it has room elsewhere, no sea without a way out.
pub(crate) fn outline(island: &Island) -> Verdict {
    let (map, land) = (Map::of(island), island.land.cells());
    let count = land.iter().filter(|l| **l == 1).count();
    let wanted = (island.params.shape.land_fraction * land.len() as f64).round() as usize;
    ensure(count == wanted, || format!("{count} cells of land instead of {wanted}"))?;
    let inner = map.cells().filter(|&i| !map.edge(i)).count();
    let on_border = map.cells().find(|&i| map.edge(i) && land[i] == 1);
    ensure(wanted > inner || on_border.is_none(), || format!("land on the border at {on_border:?}"))?;
    let mut stack: Vec<usize> = map.cells().filter(|&i| map.edge(i) && land[i] == 0).collect();
    let mut reached = vec![false; land.len()];
    stack.iter().for_each(|&i| reached[i] = true);
    while let Some(i) = stack.pop() {
        for (n, _) in map.around(i).filter(|&(n, _)| land[n] == 0) {
            if !std::mem::replace(&mut reached[n], true) {
                stack.push(n);
            }
        }
    }
    let cut_off = map.cells().find(|&i| land[i] == 0 && !reached[i]);
    ensure(cut_off.is_none(), || format!("sea without a way out at {cut_off:?}"))
}

/// The floor of a sea that nobody drew.
pub(crate) fn sea_floor(island: &Island) -> Verdict {
    let p = &island.params.sea;
    // By the distance from the coast in cells.
    let floor = |r: f64| {
        let t = ((r - 0.5 * p.shelf_cells) / (2.0 * p.shelf_cells).max(1.0)).clamp(0.0, 1.0);
        -p.shore_depth_m - p.slope_m * r.min(p.shelf_cells) - p.plain_depth_m * t * t * (3.0 - 2.0 * t)
    };
    for (i, &height) in
        island.water.height.cells().iter().enumerate().filter(|(i, _)| island.land.cells()[*i] == 0)
    {
        let d = f64::from(island.shore.cells()[i]);
        let (least, most) = match p.distance {
            Distance::Steps => (d, d),
            // A straight line is shorter than steps, and smoothed far from the coast.
            Distance::Euclidean => (0.1 * d / 1.083, d + 0.9 * d.min(p.shelf_cells)),
        };
        let (high, low) = (floor(least * (1.0 - p.wander)), floor(most * (1.0 + p.wander)));
        let slack = 1e-5 * low.abs();
        let h = f64::from(height);
        ensure(h <= high + slack && h >= low - slack, || format!("{height} m of sea at cell {i}"))?;
    }
    Ok(())
}

/// Coast, distances, heights, flow, basins, moisture, peaks and harbours.
pub(crate) fn ground(island: &Island) -> Verdict {
    canonical(island)?;
    coast(island)?;
    let map = Map::of(island);
    let next = drainage(map, island)?;
    let down = downhill_order(map, &next).ok_or("water goes in a circle")?;
    areas_and_basins(map, island, &next, &down)?;
    moisture(map, island)?;
    for &peak in &island.peaks {
        ensure(island.land.cells()[peak as usize] == 1, || format!("a peak in the sea: {peak}"))?;
    }
    for harbour in &island.harbours {
        let good = island.shoreline.cells()[harbour.cell as usize] == 1
            && (0.0..=1.0).contains(&harbour.shelter)
            && harbour.depth_m > 0.0
            && harbour.river.is_none_or(|r| island.rivers[r as usize].parent.is_none());
        ensure(good, || format!("{harbour:?}"))?;
    }
    Ok(())
}

/// Every number is finite and no zero has a sign.
fn canonical(island: &Island) -> Verdict {
    for layer in island.clone().into_catalogue().layers {
        if let Cells::F32(grid) = layer.cells() {
            let bad = grid.cells().iter().position(|v| !v.is_finite() || (*v == 0.0 && v.is_sign_negative()));
            ensure(bad.is_none(), || format!("{} holds no plain number at {bad:?}", layer.name))?;
        }
    }
    Ok(())
}

/// The cells of the coast, and the distance from them.
fn coast(island: &Island) -> Verdict {
    let (map, land) = (Map::of(island), island.land.cells());
    let beside = |i: usize| [(1, 0), (0, 1), (-1, 0), (0, -1)].map(|(dx, dy)| map.step(i, dx, dy));
    let coast: Vec<usize> = map
        .cells()
        .filter(|&i| land[i] == 1 && beside(i).iter().any(|n| n.is_none_or(|n| land[n] == 0)))
        .collect();
    for i in map.cells() {
        let is = coast.binary_search(&i).is_ok();
        ensure((island.shoreline.cells()[i] == 1) == is, || format!("coast at {}: {is}", map.place(i)))?;
    }
    let far = (map.w + map.h) as f64;
    let away = if coast.is_empty() { vec![far; land.len()] } else { octile(map, &coast) };
    for (i, (&d, away)) in island.shore.cells().iter().zip(away).enumerate() {
        let off = (d as f64 - away).abs();
        ensure(off <= 1e-3 * away, || {
            format!("{d} cells from the coast instead of {away} at {}", map.place(i))
        })?;
    }
    Ok(())
}

/// Shortest ways over the map from some cells, by a queue.
fn octile(map: Map, from: &[usize]) -> Vec<f64> {
    // Lengths are not negative, so their bits sort as they do.
    let mut away = vec![f64::INFINITY; map.w * map.h];
    let mut queue: BinaryHeap<Reverse<(u64, usize)>> = from.iter().map(|&i| Reverse((0, i))).collect();
    from.iter().for_each(|&i| away[i] = 0.0);
    while let Some(Reverse((bits, i))) = queue.pop() {
        let here = f64::from_bits(bits);
        if here > away[i] {
            continue;
        }
        for (n, length) in map.around(i) {
            if here + length < away[n] {
                away[n] = here + length;
                queue.push(Reverse((away[n].to_bits(), n)));
            }
        }
    }
    away
}

/// Where the water of each cell goes. Land is above the sea, the floor below it, and water goes to lower cells only.
fn drainage(map: Map, island: &Island) -> Result<Vec<Option<usize>>, String> {
    let (land, height) = (island.land.cells(), island.water.height.cells());
    let mut next = vec![None; land.len()];
    for i in map.cells() {
        let (d, at) = (island.water.directions.cells()[i], || map.place(i));
        ensure(land[i] <= 1, || format!("land is {} at {}", land[i], at()))?;
        ensure((land[i] == 1) == (height[i] > 0.0) && height[i] != 0.0, || {
            format!("land {} of {} m at {}", land[i], height[i], at())
        })?;
        next[i] = map.downstream(i, d);
        match (land[i], next[i]) {
            (0, _) => ensure(d.0 == 255, || format!("the sea flows at {}", at()))?,
            (_, Some(n)) => ensure(height[n] < height[i], || format!("water climbs at {}", at()))?,
            (_, None) => ensure(d.0 == 255 && map.edge(i), || format!("water stays at {}", at()))?,
        }
    }
    Ok(next)
}

/// All cells, each after those that flow into it; none if some flow in a circle.
fn downhill_order(map: Map, next: &[Option<usize>]) -> Option<Vec<usize>> {
    let mut inflows = vec![0; next.len()];
    next.iter().flatten().for_each(|&n| inflows[n] += 1);
    let mut order: Vec<usize> = map.cells().filter(|&i| inflows[i] == 0).collect();
    let mut done = 0;
    while let Some(&i) = order.get(done) {
        done += 1;
        if let Some(n) = next[i] {
            inflows[n] -= 1;
            if inflows[n] == 0 {
                order.push(n);
            }
        }
    }
    (order.len() == next.len()).then_some(order)
}

/// Cells above each cell; basins by size, then by their last cell.
fn areas_and_basins(map: Map, island: &Island, next: &[Option<usize>], down: &[usize]) -> Verdict {
    let land = island.land.cells();
    let mut area: Vec<u32> = land.iter().map(|&l| l.into()).collect();
    for &i in down {
        if let Some(n) = next[i].filter(|&n| land[n] == 1) {
            area[n] += area[i];
        }
    }
    let wrong = map.cells().find(|&i| island.water.accumulation.cells()[i] != area[i]);
    ensure(wrong.is_none(), || format!("flow_accumulation at {wrong:?}"))?;
    let mut last: Vec<usize> = map.cells().collect();
    for &i in down.iter().rev() {
        if let Some(n) = next[i].filter(|&n| land[n] == 1) {
            last[i] = last[n];
        }
    }
    let mut ends: Vec<usize> = map.cells().filter(|&i| land[i] == 1 && last[i] == i).collect();
    ends.sort_by_key(|&i| (Reverse(area[i]), i));
    let number: BTreeMap<usize, u32> = ends.iter().zip(1..).map(|(&i, k)| (i, k)).collect();
    for i in map.cells() {
        let asked = if land[i] == 1 { number[&last[i]] } else { 0 };
        ensure(island.water.basin.cells()[i] == asked, || format!("basin at {}", map.place(i)))?;
    }
    let sizes: Vec<u32> = island.water.basins.iter().map(|b| b.cells).collect();
    ensure(sizes.iter().eq(ends.iter().map(|&i| &area[i])), || "the list of basins".into())
}

/// The mean of three.
fn moisture(map: Map, island: &Island) -> Verdict {
    let mut bank = Grid::filled(map.w, map.h, false);
    for i in map.cells().filter(|&i| island.river_order.cells()[i] > 0) {
        for (dx, dy) in (-20..=20i64).flat_map(|dy| (-20..=20i64).map(move |dx| (dx, dy))) {
            if let Some(n) = map.step(i, dx, dy).filter(|_| dx * dx + dy * dy <= 400) {
                bank.cells_mut()[n] = true;
            }
        }
    }
    for i in map.cells() {
        let height = island.water.height.cells()[i] as f64;
        let flow = (island.water.accumulation.cells()[i] as f64 / 1000.0).min(1.0);
        let near = if bank.cells()[i] { 0.8 } else { flow };
        let inland = (island.shore.cells()[i] as f64).min(100.0) / 100.0;
        let asked = match island.land.cells()[i] {
            0 => 1.0,
            _ => ((1.0 - height / 400.0).max(0.0) + near + 1.0 - inland) / 3.0,
        };
        let found = island.moisture.cells()[i] as f64;
        ensure((found - asked).abs() < 1e-6, || {
            format!("moisture {found} instead of {asked} at {}", map.place(i))
        })?;
    }
    Ok(())
}

/// The cells of a river that are no other's: all but the last one, if that is sea or a cell of its parent.
fn own(island: &Island, k: usize) -> &[u32] {
    let (cells, parent) = (&island.rivers[k].cells, island.rivers[k].parent);
    match cells.split_last() {
        Some((&last, rest)) if parent.is_some() || island.land.cells()[last as usize] == 0 => rest,
        _ => cells,
    }
}

/// Courses, mouths, crossings, orders and sizes of all rivers.
pub(crate) fn rivers(island: &Island) -> Verdict {
    let map = Map::of(island);
    ensure(island.orders.len() == island.rivers.len(), || "a river without an order".into())?;
    let mut owner: Vec<Option<usize>> = vec![None; island.land.len()];
    let mut next: Vec<Option<usize>> = vec![None; island.land.len()];
    for (k, river) in island.rivers.iter().enumerate() {
        ensure(river.cells.len() > 1 && !own(island, k).is_empty(), || format!("river {k} goes nowhere"))?;
        for &cell in own(island, k) {
            let before = owner[cell as usize].replace(k);
            ensure(before.is_none(), || format!("rivers {before:?} and {k} share a cell"))?;
            ensure(island.land.cells()[cell as usize] == 1, || format!("river {k} runs in the sea"))?;
        }
        for step in river.cells.windows(2).map(|s| [s[0] as usize, s[1] as usize]) {
            course(map, island, k, step)?;
            next[step[0]] = Some(step[1]);
        }
    }
    for i in map.cells() {
        let is = owner[i].is_some();
        ensure((island.river_order.cells()[i] > 0) == is, || format!("river_order at {}", map.place(i)))?;
        ensure(crossing(map, &next, i).is_none(), || format!("rivers cross at {}", map.place(i)))?;
    }
    for (k, river) in island.rivers.iter().enumerate() {
        let last = *river.cells.last().expect("it has cells") as usize;
        let ends_well = match river.parent {
            Some(parent) => parent < k && owner[last] == Some(parent),
            None if island.land.cells()[last] == 0 => true,
            None => map.edge(last) && island.water.directions.cells()[last].0 == 255,
        };
        ensure(ends_well, || format!("the mouth of river {k} at {}", map.place(last)))?;
    }
    for (i, id) in island.river_id.cells().iter().enumerate() {
        let asked = owner[i].map_or(0, |k| k as u32 + 1);
        ensure(*id == asked, || format!("river_id {id} at {}", map.place(i)))?;
    }
    sources(map, island)?;
    orders(map, island, &owner, &next)?;
    sizes(island)
}

/// Rivers begin farther from one another than the spacing.
fn sources(map: Map, island: &Island) -> Verdict {
    let sources: Vec<usize> = island.rivers.iter().map(|r| r.cells[0] as usize).collect();
    let apart = island.params.rivers.river_spacing;
    for (k, &a) in sources.iter().enumerate() {
        let near = sources[..k].iter().find(|&&b| {
            let (dx, dy) = ((a % map.w).abs_diff(b % map.w) as f64, (a / map.w).abs_diff(b / map.w) as f64);
            dx * dx + dy * dy <= apart * apart
        });
        ensure(near.is_none(), || format!("rivers begin at {} and {near:?}", map.place(a)))?;
    }
    Ok(())
}

/// A step from neighbour to neighbour, down, and where all water of the cell goes.
fn course(map: Map, island: &Island, k: usize, [a, b]: [usize; 2]) -> Verdict {
    let at = || format!("river {k} at {}", map.place(a));
    let height = island.water.height.cells();
    ensure(map.around(a).any(|(n, _)| n == b), || format!("{}: a gap", at()))?;
    ensure(height[b] < height[a], || format!("{}: from {} m to {} m", at(), height[a], height[b]))?;
    let flow = map.downstream(a, island.water.directions.cells()[a]);
    ensure(flow == Some(b), || format!("{}: the flow is not along it", at()))
}

/// Whether the step of a river from here crosses that of another between the other two of four cells.
fn crossing(map: Map, next: &[Option<usize>], a: usize) -> Option<()> {
    let b = next[a]?;
    let (beside, along) = (a / map.w * map.w + b % map.w, b / map.w * map.w + a % map.w);
    let diagonal = beside != a && beside != b;
    (diagonal && (next[beside] == Some(along) || next[along] == Some(beside))).then_some(())
}

/// Strahler and Shreve from scratch, cell by cell down the network.
fn orders(map: Map, island: &Island, owner: &[Option<usize>], next: &[Option<usize>]) -> Verdict {
    let order = downhill_order(map, next).ok_or("rivers run in a circle")?;
    let mut found = vec![(0u8, 0u32); next.len()];
    let mut incoming: Vec<Vec<(u8, u32)>> = vec![Vec::new(); next.len()];
    for i in order.into_iter().filter(|&i| owner[i].is_some()) {
        let streams = &incoming[i];
        let highest = streams.iter().map(|s| s.0).max().unwrap_or(0);
        let twice = streams.iter().filter(|s| s.0 == highest).count() >= 2;
        found[i] = match streams.is_empty() {
            true => (1, 1),
            false => (highest + twice as u8, streams.iter().map(|s| s.1).sum()),
        };
        let here = found[i];
        if let Some(n) = next[i] {
            incoming[n].push(here);
        }
    }
    for (i, &(strahler, _)) in found.iter().enumerate() {
        let said = island.river_order.cells()[i];
        ensure(said == strahler, || format!("order {said} instead of {strahler} at {}", map.place(i)))?;
    }
    for (k, said) in island.orders.iter().enumerate() {
        let asked = found[*own(island, k).last().expect("it has cells") as usize];
        ensure((said.strahler, said.shreve) == asked, || {
            format!("river {k}: {said:?} instead of {asked:?}")
        })?;
    }
    Ok(())
}

/// The largest first; area, discharge and width at the last own cell.
fn sizes(island: &Island) -> Verdict {
    let end = |k: usize| *own(island, k).last().expect("it has cells");
    let area = |k: usize| island.water.accumulation.cells()[end(k) as usize];
    let p = &island.params;
    for (k, river) in island.rivers.iter().enumerate() {
        ensure(k == 0 || (Reverse(area(k - 1)), end(k - 1)) < (Reverse(area(k)), end(k)), || {
            format!("rivers {} and {k} change places", k - 1)
        })?;
        let area_m2 = area(k) as f64 * p.map.cell_m * p.map.cell_m;
        let discharge = area_m2 * p.rivers.runoff_mm / 1000.0 / 31_557_600.0;
        let asked = [area_m2, discharge, 4.0 * discharge.sqrt()];
        let said = [river.area_m2, river.discharge_m3_s, river.width_m];
        let near = asked.iter().zip(said).all(|(a, b)| (a - b).abs() <= 1e-9 * a);
        ensure(near, || format!("river {k}: {said:?} instead of {asked:?}"))?;
    }
    Ok(())
}
