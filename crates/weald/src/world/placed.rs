//! Things that a user places in a world, as a small text.
//!
//! One entry per line, or several separated by `;`: a name and numbers, separated by blanks, tabs or commas. `#` starts a
//! comment. What the names and numbers mean is the world's own.

/// One entry: its name and its numbers, as they were written.
pub(crate) struct Entry<'a> {
    line: usize,
    text: &'a str,
    pub(crate) name: &'a str,
    pub(crate) numbers: Vec<&'a str>,
}

impl Entry<'_> {
    /// An error about this entry that says what is right.
    pub(crate) fn wrong(&self, must: impl std::fmt::Display) -> String {
        format!("line {}: \"{}\": {must}", self.line, self.text)
    }

    /// The numbers in pairs, each between the bounds of its place in the pair. `what` says what the pairs are.
    pub(crate) fn pairs<T: std::str::FromStr + PartialOrd + Copy>(
        &self,
        bounds: [(T, T); 2],
        what: &str,
    ) -> Result<Vec<(T, T)>, String> {
        let number = |(i, word): (usize, &&str)| {
            let (low, high) = bounds[i % 2];
            word.parse::<T>().ok().filter(|v| *v >= low && *v <= high)
        };
        let numbers: Option<Vec<T>> = self.numbers.iter().enumerate().map(number).collect();
        let numbers = numbers.ok_or_else(|| self.wrong(what))?;
        if numbers.is_empty() || numbers.len() % 2 != 0 {
            return Err(self.wrong(format!("{what}, in pairs")));
        }
        Ok(numbers.chunks_exact(2).map(|p| (p[0], p[1])).collect())
    }
}

/// The entries of a text, in order.
pub(crate) fn entries(text: &str) -> impl Iterator<Item = Entry<'_>> {
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    lines.flat_map(|(i, line)| {
        let entries = line.split('#').next().unwrap_or("").split(';').map(str::trim);
        entries.filter(|entry| !entry.is_empty()).map(move |text| {
            let mut words = text.split([' ', '\t', ',']).filter(|word| !word.is_empty());
            Entry { line: i + 1, text, name: words.next().unwrap_or(""), numbers: words.collect() }
        })
    })
}
