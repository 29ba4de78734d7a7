//! Contact sheets: many small pictures on one page, each with a line of text below it.

use super::canvas::Canvas;
use super::image::Image;
use super::text::{Align, Type, draw, width};
use super::{FAINT, INK, PAPER};

const EDGE: usize = 40;
const TITLE: usize = 84;
const GAP: usize = 20;
const CAPTION: usize = 34;

/// The page of a contact sheet: where its pictures are, in pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact {
    title: String,
    subtitle: String,
    captions: Vec<String>,
    columns: usize,
    /// Width and height that every picture fits into.
    room: (usize, usize),
}

impl Contact {
    /// A page of as many pictures as there are captions, each at most as large as `room`. Without `columns` there are as many as make the
    /// page about a third wider than high.
    pub fn new(
        (title, subtitle): (&str, &str),
        captions: Vec<String>,
        columns: Option<usize>,
        room: (usize, usize),
    ) -> Self {
        let count = captions.len().max(1);
        let usual = || {
            let (wide, high) = ((room.0 + GAP) as f64, (room.1 + CAPTION + GAP) as f64);
            (count as f64 * 4.0 / 3.0 * high / wide).sqrt().round() as usize
        };
        let columns = columns.unwrap_or_else(usual).clamp(1, count);
        Self { title: title.into(), subtitle: subtitle.into(), captions, columns, room }
    }

    /// Columns and rows of pictures.
    pub fn columns_and_rows(&self) -> (usize, usize) {
        (self.columns, self.captions.len().div_ceil(self.columns))
    }

    /// Width and height of the page.
    pub fn size(&self) -> (usize, usize) {
        let (columns, rows) = self.columns_and_rows();
        let text = width(&self.title, &title_type()).max(width(&self.subtitle, &subtitle_type()));
        let pictures = columns * (self.room.0 + GAP) - GAP;
        let high = rows * (self.room.1 + CAPTION + GAP);
        (2 * EDGE + pictures.max(text.ceil() as usize), 2 * EDGE + TITLE + high - GAP.min(high))
    }

    /// The upper left corner of the room of picture `k`. A smaller picture begins there.
    pub fn corner(&self, k: usize) -> (usize, usize) {
        let (column, row) = (k % self.columns, k / self.columns);
        (EDGE + column * (self.room.0 + GAP), EDGE + TITLE + row * (self.room.1 + CAPTION + GAP))
    }

    /// The page with its pictures.
    ///
    /// # Panics
    /// If a picture is larger than its room, or there are more pictures than captions.
    pub fn drawn(&self, pictures: &[Image]) -> Image {
        let (w, h) = self.size();
        let mut canvas = Canvas::new(w, h, PAPER);
        let left = EDGE as f32;
        draw(&mut canvas, &self.title, (left - 1.0, EDGE as f32 + 30.0), &title_type());
        draw(&mut canvas, &self.subtitle, (left, EDGE as f32 + 58.0), &subtitle_type());
        for (k, (picture, caption)) in pictures.iter().zip(&self.captions).enumerate() {
            let (x, y) = self.corner(k);
            assert!(picture.width() <= self.room.0 && picture.height() <= self.room.1, "a picture has room");
            let middle = (x as f32 + picture.width() as f32 / 2.0, (y + picture.height()) as f32 + 22.0);
            draw(&mut canvas, caption, middle, &Type::new(15.0, INK).align(Align::Centre));
            canvas.place(picture, x, y);
        }
        assert!(pictures.len() <= self.captions.len(), "every picture has a caption");
        canvas.into_image()
    }
}

fn title_type() -> Type {
    Type { weight: 0.006, ..Type::new(34.0, INK) }
}

fn subtitle_type() -> Type {
    Type::new(15.0, FAINT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_stand_in_rows_with_their_text_below_and_nothing_overlaps() {
        let captions: Vec<String> = (1..=5).map(|k| format!("Seed {k}")).collect();
        let page = Contact::new(("Land", "all of it"), captions, Some(3), (64, 40));
        assert_eq!(page.columns_and_rows(), (3, 2));
        let pictures: Vec<Image> =
            (0..5u8).map(|k| Image::filled(64 - k as usize, 40, [k * 20, 0, 255])).collect();
        let image = page.drawn(&pictures);
        assert_eq!((image.width(), image.height()), page.size());
        for (k, picture) in pictures.iter().enumerate() {
            assert!(image.part(page.corner(k), (picture.width(), 40)) == *picture, "{k}");
            let (x, y) = page.corner(k);
            let below = image.part((x, y + 40), (60, CAPTION));
            assert!(below.bytes().chunks(3).any(|c| c != PAPER), "there is text below picture {k}");
        }
        let (x, y) = page.corner(2);
        let empty = image.part((x, y + 40 + CAPTION + GAP), (60, 40));
        assert!(empty.bytes().chunks(3).all(|c| c == PAPER), "the last row has room for one more");
    }

    #[test]
    fn a_page_without_a_number_of_columns_is_wider_than_high() {
        let page = |n: usize| Contact::new(("", ""), vec![String::new(); n], None, (200, 200));
        for n in [6, 12, 30, 64] {
            let (columns, rows) = page(n).columns_and_rows();
            assert!(
                columns >= rows && columns * rows >= n && columns * (rows - 1) < n,
                "{n}: {columns}x{rows}"
            );
        }
        assert_eq!((page(1).columns_and_rows(), page(2).columns_and_rows().0), ((1, 1), 2));
    }
}
