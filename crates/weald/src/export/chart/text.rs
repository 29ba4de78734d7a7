//! Texts: how wide they are, and how XML and PDF write them.

use super::symbols::Face;

/// Widths of the letters of Helvetica from space to tilde, in thousandths of the size.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// Width of a text, as a multiple of the size of its letters.
pub(super) fn width(text: &str, face: Face) -> f64 {
    let letter = |c: char| match c {
        ' '..='~' => f64::from(WIDTHS[c as usize - 32]),
        '\u{a0}' | '\u{b7}' => 278.0,
        '\u{d7}' => 584.0,
        _ => plain(c).map_or(600.0, |t| t.chars().map(|c| f64::from(WIDTHS[c as usize - 32])).sum()),
    };
    // Digits and spaces of the heavy face are no wider.
    let wider = |c: char| match (face, c) {
        (Face::Bold, '0'..='9' | ' ' | '\u{a0}') => 1.0,
        (Face::Bold, ':') => 1.2,
        (Face::Bold, _) => 1.07,
        _ => 1.0,
    };
    text.chars().fold(0.0, |sum, c| sum + letter(c) * wider(c)) / 1000.0
}

/// The text as XML content or attribute. What XML does not allow is left out.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {}
            _ => out.push(c),
        }
    }
    out
}

/// Letters of the code page of PDF's standard fonts between 128 and 159; `\0` where there is none.
const HIGH: [char; 32] = [
    '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', '\0', '‘', '’', '“',
    '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
];

/// The text as a string of PDF in the code page WinAnsi, with its brackets. Letters that it lacks are written in Latin ones.
pub(super) fn pdf_string(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match c {
            ' '..='~' | '\u{a0}'..='\u{ff}' => bytes.push(c as u8),
            '\0'..='\u{9f}' => {}
            _ => match HIGH.iter().position(|&high| high == c) {
                Some(i) => bytes.push(128 + i as u8),
                None => bytes.extend(plain(c).unwrap_or("?").bytes()),
            },
        }
    }
    let mut out = vec![b'('];
    for byte in bytes {
        if matches!(byte, b'(' | b')' | b'\\') {
            out.push(b'\\');
        }
        out.push(byte);
    }
    out.push(b')');
    out
}

/// The text as a string of PDF outside of pages, such as a title: in ASCII, or else in UTF-16 with a byte order mark.
pub(super) fn pdf_text(text: &str) -> Vec<u8> {
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    if text.is_ascii() {
        return pdf_string(&text);
    }
    let units: String = text.encode_utf16().map(|unit| format!("{unit:04X}")).collect();
    format!("<FEFF{units}>").into_bytes()
}

/// Groups of letters and what they become in plain Latin letters.
const PLAIN: &[(&str, &str)] = &[
    ("ÀÁÂÃÄÅĀĂĄǍ", "A"),
    ("àáâãäåāăąǎ", "a"),
    ("ÇĆĈĊČ", "C"),
    ("çćĉċč", "c"),
    ("ÐĎĐ", "D"),
    ("ďđð", "d"),
    ("ÈÉÊËĒĔĖĘĚ", "E"),
    ("èéêëēĕėęě", "e"),
    ("ĜĞĠĢ", "G"),
    ("ĝğġģ", "g"),
    ("ĤĦ", "H"),
    ("ĥħ", "h"),
    ("ÌÍÎÏĨĪĬĮİ", "I"),
    ("ìíîïĩīĭįı", "i"),
    ("Ĵ", "J"),
    ("ĵ", "j"),
    ("Ķ", "K"),
    ("ķ", "k"),
    ("ĹĻĽĿŁ", "L"),
    ("ĺļľŀł", "l"),
    ("ÑŃŅŇŊ", "N"),
    ("ñńņňŋ", "n"),
    ("ÒÓÔÕÖØŌŎŐ", "O"),
    ("òóôõöøōŏő", "o"),
    ("ŔŖŘ", "R"),
    ("ŕŗř", "r"),
    ("ŚŜŞŠȘ", "S"),
    ("śŝşšș", "s"),
    ("ŢŤŦȚ", "T"),
    ("ţťŧț", "t"),
    ("ÙÚÛÜŨŪŬŮŰŲ", "U"),
    ("ùúûüũūŭůűų", "u"),
    ("Ŵ", "W"),
    ("ŵ", "w"),
    ("ÝŶŸ", "Y"),
    ("ýÿŷ", "y"),
    ("ŹŻŽ", "Z"),
    ("źżž", "z"),
    ("ÆǼ", "AE"),
    ("æǽ", "ae"),
    ("Œ", "OE"),
    ("œ", "oe"),
    ("Þ", "Th"),
    ("þ", "th"),
    ("ßẞ", "ss"),
    ("·•", "."),
    ("−–—‐‑", "-"),
    ("×", "x"),
    ("‘’", "'"),
    ("“”", "\""),
    ("АΑ", "A"),
    ("аαά", "a"),
    ("БВΒ", "B"),
    ("бвβ", "v"),
    ("ГΓ", "G"),
    ("гγ", "g"),
    ("ДΔ", "D"),
    ("дδ", "d"),
    ("ЕЁЭΕΈ", "E"),
    ("еёэεέ", "e"),
    ("Ж", "Zh"),
    ("ж", "zh"),
    ("ЗΖ", "Z"),
    ("зζ", "z"),
    ("ИЙΙΗΊΉ", "I"),
    ("ийιηίή", "i"),
    ("КΚ", "K"),
    ("кκ", "k"),
    ("ЛΛ", "L"),
    ("лλ", "l"),
    ("МΜ", "M"),
    ("мμ", "m"),
    ("НΝ", "N"),
    ("нν", "n"),
    ("ОΟΩΌΏ", "O"),
    ("оοωόώ", "o"),
    ("ПΠ", "P"),
    ("пπ", "p"),
    ("РΡ", "R"),
    ("рρ", "r"),
    ("СΣ", "S"),
    ("сσς", "s"),
    ("ТΤ", "T"),
    ("тτ", "t"),
    ("УЮΥΎ", "U"),
    ("уюυύ", "u"),
    ("ФΦ", "F"),
    ("фφ", "f"),
    ("ХΧ", "Kh"),
    ("хχ", "kh"),
    ("Ц", "Ts"),
    ("ц", "ts"),
    ("Ч", "Ch"),
    ("ч", "ch"),
    ("Ш", "Sh"),
    ("ш", "sh"),
    ("Щ", "Shch"),
    ("щ", "shch"),
    ("ЪЬъь", ""),
    ("Ы", "Y"),
    ("ы", "y"),
    ("Я", "Ya"),
    ("я", "ya"),
    ("Θ", "Th"),
    ("θ", "th"),
    ("Ξ", "X"),
    ("ξ", "x"),
    ("Ψ", "Ps"),
    ("ψ", "ps"),
];

/// A letter in plain Latin letters, if it is known.
fn plain(c: char) -> Option<&'static str> {
    PLAIN.iter().find(|(letters, _)| letters.contains(c)).map(|&(_, plain)| plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_a_format_lacks_become_others_or_are_escaped() {
        assert_eq!(escaped("a & b < c > \"d\"\u{0}\u{1b}é漢"), "a &amp; b &lt; c &gt; &quot;d&quot;é漢");
        assert_eq!(pdf_string("(ä\\ő Ж漢\n)"), b"(\\(\xe4\\\\o Zh?\\))");
        assert_eq!(pdf_string("– …"), b"(\x96 \x85)");
        assert_eq!(pdf_text("Island (7)"), b"(Island \\(7\\))");
        assert_eq!(pdf_text("– ž漢\n𝒜"), b"<FEFF20130020017E6F22D835DC9C>");
    }

    #[test]
    fn a_text_is_as_wide_as_its_letters() {
        assert_eq!(width("", Face::Plain), 0.0);
        assert!((width("ABC", Face::Plain) - 2.056).abs() < 1e-9);
        assert_eq!(width("é", Face::Plain), width("e", Face::Plain));
    }
}
