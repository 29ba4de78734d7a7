//! Databases in the file format of SQLite 3, written as a whole.
//!
//! Format: <https://www.sqlite.org/fileformat2.html>. Pages have 4096 bytes. A table is a B-tree of rows by their row numbers, whose
//! leaves are filled from the first page on; rows that are too long go on in overflow pages. Tables whose columns must be unique have
//! indexes, for which one page must be enough. The same rows make the same bytes.

use crate::error::{Error, Result};

/// Bytes of a page.
const PAGE: usize = 4096;
/// Bytes of a row that a leaf of a table holds, at most.
const MOST_LOCAL: usize = PAGE - 35;
/// Bytes of a longer row that stay in the leaf, at least.
const LEAST_LOCAL: usize = (PAGE - 12) * 32 / 255 - 23;
/// Children of an interior page, at most: 4 bytes each for the page, 9 for the row number and 2 for the place of the cell.
const MOST_CHILDREN: usize = (PAGE - 12) / 15;
/// Bytes of the header of a database, which begins the first page.
const HEADER: usize = 100;
/// The version of SQLite that is named as the writer: 3.40.1.
const VERSION: u32 = 3_040_001;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    /// Nothing; also what stands for the row number in its column.
    Null,
    /// A whole number.
    Integer(i64),
    /// A number.
    Real(f64),
    /// Text.
    Text(String),
    /// Bytes.
    Blob(Vec<u8>),
}

/// A table: its declaration and its rows.
pub(super) struct Table {
    /// Its name.
    pub name: String,
    /// The statement that makes it.
    pub sql: String,
    /// Row numbers, which go up, and what [`record`] makes of the values.
    pub rows: Vec<(i64, Vec<u8>)>,
    /// The columns of each constraint that makes SQLite keep an index: the values of all rows, with their row numbers.
    pub unique: Vec<Vec<(Vec<Cell>, i64)>>,
}

/// The numbers of a database by which programs know what it is.
#[derive(Clone, Copy)]
pub(super) struct Identity {
    /// The format of its application.
    pub application: u32,
    /// The version of that format.
    pub version: u32,
}

/// A database with these tables.
pub(super) fn database(tables: &[Table], identity: Identity) -> Result<Vec<u8>> {
    // The first page is that of the schema, which is known last.
    let mut file = Pages(vec![0; PAGE]);
    let mut schema = Vec::new();
    let text = |s: &str| Cell::Text(s.to_owned());
    for table in tables {
        let root = file.tree(&table.rows);
        let sql = text(&table.sql);
        schema.push([text("table"), text(&table.name), text(&table.name), Cell::Integer(root.into()), sql]);
        for (i, index) in table.unique.iter().enumerate() {
            let name = format!("sqlite_autoindex_{}_{}", table.name, i + 1);
            let root = Cell::Integer(file.index(&table.name, index)?.into());
            schema.push([text("index"), Cell::Text(name), text(&table.name), root, Cell::Null]);
        }
    }
    let rows: Vec<(i64, Vec<u8>)> = (1..).zip(schema.iter().map(|row| record(row))).collect();
    let leaves = file.leaves(&rows, PAGE - HEADER);
    let first = match &leaves[..] {
        // The only leaf is the last page but it belongs on the first one.
        [(page, _)] => file.take_leaf(*page),
        _ if leaves.len() <= MOST_CHILDREN => interior(&leaves, HEADER),
        _ => return Err(Error::Internal(format!("{} tables in one database", tables.len()))),
    };
    file.0[..PAGE].copy_from_slice(&first);
    let pages = (file.0.len() / PAGE) as u32;
    file.0[..HEADER].copy_from_slice(&header(pages, identity));
    Ok(file.0)
}

fn header(pages: u32, identity: Identity) -> [u8; HEADER] {
    let mut out = [0; HEADER];
    out[..16].copy_from_slice(b"SQLite format 3\0");
    out[16..18].copy_from_slice(&(PAGE as u16).to_be_bytes());
    // Read and written without a log; no reserved bytes; the fractions of payload that the format prescribes.
    out[18..24].copy_from_slice(&[1, 1, 0, 64, 32, 32]);
    // Number of changes, pages, free pages, changes of the schema, format of the schema, text in UTF-8.
    for (at, value) in [(24, 1), (28, pages), (40, 1), (44, 4), (56, 1)] {
        out[at..at + 4].copy_from_slice(&u32::to_be_bytes(value));
    }
    for (at, value) in [(60, identity.version), (68, identity.application), (92, 1), (96, VERSION)] {
        out[at..at + 4].copy_from_slice(&u32::to_be_bytes(value));
    }
    out
}

/// The pages of a file; the first one has number 1.
struct Pages(Vec<u8>);

impl Pages {
    fn push(&mut self, page: &[u8]) -> u32 {
        debug_assert_eq!(page.len(), PAGE);
        self.0.extend_from_slice(page);
        (self.0.len() / PAGE) as u32
    }

    /// Writes the B-tree of a table and returns its root.
    fn tree(&mut self, rows: &[(i64, Vec<u8>)]) -> u32 {
        let mut level = self.leaves(rows, PAGE);
        while level.len() > 1 {
            // As equal as can be, so that no page has a single child.
            let parents = level.len().div_ceil(MOST_CHILDREN);
            let from = |i: usize| i * level.len() / parents;
            let part = |i: usize| &level[from(i)..from(i + 1)];
            level = (0..parents)
                .map(|i| (self.push(&interior(part(i), 0)), part(i)[part(i).len() - 1].1))
                .collect();
        }
        level[0].0
    }

    /// Writes the leaves of a table with `room` bytes each; returns their pages and last row numbers.
    fn leaves(&mut self, rows: &[(i64, Vec<u8>)], room: usize) -> Vec<(u32, i64)> {
        let mut leaves = Vec::new();
        let (mut cells, mut used, mut last) = (Vec::new(), 8, 0);
        for (number, payload) in rows {
            let cell = self.cell(*number, payload);
            if used + cell.len() + 2 > room && !cells.is_empty() {
                leaves.push((self.push(&leaf(13, &cells, PAGE - room)), last));
                cells.clear();
                used = 8;
            }
            used += cell.len() + 2;
            cells.push(cell);
            last = *number;
        }
        leaves.push((self.push(&leaf(13, &cells, PAGE - room)), last));
        leaves
    }

    /// The cell of a row: length, number, and as much of the payload as stays in the leaf; the rest is written to overflow pages.
    fn cell(&mut self, number: i64, payload: &[u8]) -> Vec<u8> {
        let mut cell = Vec::with_capacity(payload.len().min(MOST_LOCAL) + 22);
        varint(&mut cell, payload.len() as u64);
        varint(&mut cell, number as u64);
        if payload.len() <= MOST_LOCAL {
            cell.extend_from_slice(payload);
            return cell;
        }
        let filled = LEAST_LOCAL + (payload.len() - LEAST_LOCAL) % (PAGE - 4);
        let local = if filled <= MOST_LOCAL { filled } else { LEAST_LOCAL };
        cell.extend_from_slice(&payload[..local]);
        let parts = payload[local..].chunks(PAGE - 4);
        let (count, mut next) = (parts.len(), (self.0.len() / PAGE) as u32 + 1);
        cell.extend_from_slice(&next.to_be_bytes());
        for (i, part) in parts.enumerate() {
            next += 1;
            let mut page = vec![0; PAGE];
            page[..4].copy_from_slice(&(if i + 1 < count { next } else { 0 }).to_be_bytes());
            page[4..4 + part.len()].copy_from_slice(part);
            self.push(&page);
        }
        cell
    }

    /// Writes an index of one page and returns it.
    fn index(&mut self, table: &str, rows: &[(Vec<Cell>, i64)]) -> Result<u32> {
        let mut sorted: Vec<(Vec<&[u8]>, i64)> = Vec::new();
        for (values, number) in rows {
            let key = values.iter().map(|value| match value {
                Cell::Text(text) => Ok(text.as_bytes()),
                _ => Err(Error::Internal(format!("an index of {table} over other values than text"))),
            });
            sorted.push((key.collect::<Result<_>>()?, *number));
        }
        sorted.sort();
        let cells: Vec<Vec<u8>> = sorted
            .iter()
            .map(|(key, number)| {
                let text = |bytes: &&[u8]| Cell::Text(String::from_utf8_lossy(bytes).into_owned());
                let values: Vec<Cell> = key.iter().map(text).chain([Cell::Integer(*number)]).collect();
                let payload = record(&values);
                let mut cell = Vec::new();
                varint(&mut cell, payload.len() as u64);
                cell.extend_from_slice(&payload);
                cell
            })
            .collect();
        // A key of more than a quarter of a page would need overflow pages.
        let fits = cells.iter().all(|c| c.len() < PAGE / 5)
            && cells.iter().map(|c| c.len() + 2).sum::<usize>() <= PAGE - 8;
        if !fits {
            return Err(Error::Internal(format!("the index of {table} does not fit into a page")));
        }
        Ok(self.push(&leaf(10, &cells, 0)))
    }

    /// Removes the last page, which is a leaf with room for the header of the database, and returns it as the first page.
    fn take_leaf(&mut self, page: u32) -> Vec<u8> {
        debug_assert_eq!(page as usize * PAGE, self.0.len());
        let mut out = self.0.split_off(self.0.len() - PAGE);
        let count = u16::from_be_bytes([out[3], out[4]]) as usize;
        out.copy_within(..8 + 2 * count, HEADER);
        out[..HEADER].fill(0);
        out
    }
}

/// A leaf of that kind. Cells are placed from the end of the page on; `kept` bytes between them and the list of their places stay free.
fn leaf(kind: u8, cells: &[Vec<u8>], kept: usize) -> Vec<u8> {
    let mut page = vec![0; PAGE];
    page[0] = kind;
    let start = place(&mut page, cells, 8);
    debug_assert!(8 + 2 * cells.len() + kept <= start);
    page
}

/// An interior page of a table whose header begins at `at`: the page and the last row number of each child. The last child stands in the header.
fn interior(children: &[(u32, i64)], at: usize) -> Vec<u8> {
    let (last, others) = children.split_last().expect("an interior page has children");
    let cells: Vec<Vec<u8>> = others
        .iter()
        .map(|(page, number)| {
            let mut cell = page.to_be_bytes().to_vec();
            varint(&mut cell, *number as u64);
            cell
        })
        .collect();
    let mut page = vec![0; PAGE];
    page[at] = 5;
    page[at + 8..at + 12].copy_from_slice(&last.0.to_be_bytes());
    place(&mut page[at..], &cells, 12);
    page
}

/// Places cells at the end of a page and their places after its header of `header` bytes; `page` may lack its beginning. Returns where
/// the cells begin.
fn place(page: &mut [u8], cells: &[Vec<u8>], header: usize) -> usize {
    let lacking = PAGE - page.len();
    let mut start = page.len();
    for (i, cell) in cells.iter().enumerate() {
        start -= cell.len();
        page[start..start + cell.len()].copy_from_slice(cell);
        let at = header + 2 * i;
        page[at..at + 2].copy_from_slice(&((start + lacking) as u16).to_be_bytes());
    }
    page[3..5].copy_from_slice(&(cells.len() as u16).to_be_bytes());
    page[5..7].copy_from_slice(&((start + lacking) as u16).to_be_bytes());
    start
}

/// A row: the types of its values, then the values.
pub(super) fn record(values: &[Cell]) -> Vec<u8> {
    let (mut types, mut body) = (Vec::new(), Vec::new());
    for value in values {
        let kind = match value {
            Cell::Null => 0,
            Cell::Integer(0) => 8,
            Cell::Integer(1) => 9,
            Cell::Integer(number) => {
                let widths = [(1, 1), (2, 2), (3, 3), (4, 4), (5, 6)];
                let fits = |bytes: &u32| *number >> (8 * bytes - 1) == *number >> 63;
                let (kind, bytes) = widths.into_iter().find(|(_, bytes)| fits(bytes)).unwrap_or((6, 8));
                body.extend_from_slice(&number.to_be_bytes()[8 - bytes as usize..]);
                kind
            }
            Cell::Real(number) => {
                body.extend_from_slice(&number.to_be_bytes());
                7
            }
            Cell::Text(text) => {
                body.extend_from_slice(text.as_bytes());
                13 + 2 * text.len() as u64
            }
            Cell::Blob(bytes) => {
                body.extend_from_slice(bytes);
                12 + 2 * bytes.len() as u64
            }
        };
        varint(&mut types, kind);
    }
    // The length of the types includes itself.
    let mut out = Vec::with_capacity(types.len() + body.len() + 2);
    let own = if types.len() < 127 { 1 } else { 2 };
    varint(&mut out, (types.len() + own) as u64);
    out.append(&mut types);
    out.append(&mut body);
    out
}

/// Seven bits a byte from the highest on, with the top bit set on all but the last byte; a ninth byte holds eight bits.
fn varint(out: &mut Vec<u8>, value: u64) {
    if value >> 56 != 0 {
        for shift in (0..8).rev() {
            out.push((value >> (8 + 7 * shift)) as u8 | 0x80);
        }
        out.push(value as u8);
        return;
    }
    let groups = (1..8).find(|n| value >> (7 * n) == 0).unwrap_or(8);
    for shift in (0..groups).rev() {
        let more = if shift > 0 { 0x80 } else { 0 };
        out.push((value >> (7 * shift)) as u8 & 0x7f | more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(value: u64) -> Vec<u8> {
        let mut out = Vec::new();
        varint(&mut out, value);
        out
    }

    #[test]
    fn whole_numbers_of_any_length_are_those_of_the_format() {
        assert_eq!(bytes(0), [0]);
        assert_eq!(bytes(127), [0x7f]);
        assert_eq!(bytes(128), [0x81, 0]);
        assert_eq!(bytes(240), [0x81, 0x70]);
        assert_eq!(bytes((1 << 56) - 1), [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);
        assert_eq!(bytes(1 << 56), [0x80, 0xc0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0]);
        assert_eq!(bytes(u64::MAX), [0xff; 9]);
    }

    #[test]
    fn numbers_take_as_few_bytes_as_they_need() {
        let length = |v: i64| record(&[Cell::Integer(v)]).len() - 2;
        let expected = [
            (0, 0),
            (1, 0),
            (2, 1),
            (127, 1),
            (-128, 1),
            (128, 2),
            (-129, 2),
            (32_768, 3),
            (1 << 23, 4),
            (1 << 31, 6),
            (1 << 47, 8),
            (i64::MIN, 8),
        ];
        for (value, bytes) in expected {
            assert_eq!(length(value), bytes, "{value}");
        }
    }

    /// A small reader of what is written: the rows of a tree.
    fn rows(file: &[u8], page: u32, out: &mut Vec<(i64, Vec<u8>)>) {
        let begin = (page as usize - 1) * PAGE;
        let data = &file[begin..begin + PAGE];
        let at = if page == 1 { HEADER } else { 0 };
        let word = |i: usize| u16::from_be_bytes([data[i], data[i + 1]]) as usize;
        let long = |d: &[u8], i: usize| u32::from_be_bytes(d[i..i + 4].try_into().unwrap());
        let read = |mut i: usize| {
            let mut value = 0u64;
            for k in 0..9 {
                let byte = data[i];
                i += 1;
                if k == 8 {
                    return (value << 8 | u64::from(byte), i);
                }
                value = value << 7 | u64::from(byte & 0x7f);
                if byte < 0x80 {
                    break;
                }
            }
            (value, i)
        };
        let count = word(at + 3);
        match data[at] {
            13 => {
                for k in 0..count {
                    let (length, i) = read(word(at + 8 + 2 * k));
                    let (number, i) = read(i);
                    let length = length as usize;
                    let mut payload = Vec::new();
                    if length <= MOST_LOCAL {
                        payload.extend_from_slice(&data[i..i + length]);
                    } else {
                        let filled = LEAST_LOCAL + (length - LEAST_LOCAL) % (PAGE - 4);
                        let local = if filled <= MOST_LOCAL { filled } else { LEAST_LOCAL };
                        payload.extend_from_slice(&data[i..i + local]);
                        let mut next = long(data, i + local);
                        while next != 0 {
                            let over = &file[(next as usize - 1) * PAGE..][..PAGE];
                            let rest = (length - payload.len()).min(PAGE - 4);
                            payload.extend_from_slice(&over[4..4 + rest]);
                            next = long(over, 0);
                        }
                    }
                    assert_eq!(payload.len(), length);
                    out.push((number as i64, payload));
                }
            }
            5 => {
                for k in 0..count {
                    let i = word(at + 12 + 2 * k);
                    rows(file, long(data, i), out);
                    assert_eq!(
                        out[out.len() - 1].0,
                        read(i + 4).0 as i64,
                        "the key is the last row of the child"
                    );
                }
                rows(file, long(data, at + 8), out);
            }
            kind => panic!("page {page} is of kind {kind}"),
        }
    }

    fn made(tables: &[Table]) -> Vec<u8> {
        database(tables, Identity { application: 7, version: 8 }).unwrap()
    }

    #[test]
    fn rows_of_any_length_and_number_read_back() {
        let lengths = [0, 1, 488, 489, 490, 4000, 4060, 4061, 4062, 4500, 8180, 8185, 9000, 50_000];
        let long: Vec<(i64, Vec<u8>)> =
            (-3..).zip(lengths.iter().map(|&n| record(&[Cell::Blob(vec![n as u8; n])]))).collect();
        let many: Vec<(i64, Vec<u8>)> =
            (1..=120_000).map(|i| (i * 3, record(&[Cell::Integer(i), Cell::Text("row".into())]))).collect();
        let table = |name: &str, rows| Table {
            name: name.into(),
            sql: format!("CREATE TABLE {name} (a, b)"),
            rows,
            unique: Vec::new(),
        };
        let file =
            made(&[table("long", long.clone()), table("many", many.clone()), table("none", Vec::new())]);
        assert_eq!(file.len() % PAGE, 0);
        assert_eq!(u32::from_be_bytes(file[28..32].try_into().unwrap()) as usize, file.len() / PAGE);
        let mut schema = Vec::new();
        rows(&file, 1, &mut schema);
        assert_eq!(schema.len(), 3);
        let roots = schema.iter().map(|(_, payload)| {
            // Types: five bytes and that of their length; the root is the fourth value.
            let name = (payload[2] as usize - 13) / 2;
            let at = 6 + 5 + 2 * name;
            let bytes = [1, 2, 3, 4, 6, 8].get(payload[4] as usize - 1).copied().unwrap_or(0);
            payload[at..at + bytes].iter().fold(0u32, |a, b| a << 8 | u32::from(*b))
        });
        for (root, expected) in roots.zip([long, many, Vec::new()]) {
            let mut found = Vec::new();
            rows(&file, root, &mut found);
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_schema_of_many_tables_goes_beyond_the_first_page() {
        let table = |i: i32| Table {
            name: format!("table_{i:03}"),
            sql: format!("CREATE TABLE table_{i:03} (a TEXT, b INTEGER) -- {}", "x".repeat(200)),
            rows: vec![(1, record(&[Cell::Null, Cell::Integer(i.into())]))],
            unique: Vec::new(),
        };
        let file = made(&(0..60).map(table).collect::<Vec<_>>());
        let mut schema = Vec::new();
        rows(&file, 1, &mut schema);
        assert_eq!(schema.len(), 60);
    }
}
