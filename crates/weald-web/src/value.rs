//! Values of the library as values of JavaScript.

use js_sys::Reflect;
#[cfg(feature = "engine")]
pub use pixels::Pixels;
#[cfg(feature = "engine")]
pub(crate) use pixels::cells;
use wasm_bindgen::prelude::*;

/// An error as a JavaScript `Error` with the exit code of the command line as `code`, and the problems of parameters as `problems`.
pub(crate) fn error(error: weald::Error) -> JsValue {
    let out = js_sys::Error::new(&error.to_string());
    let _ = Reflect::set(&out, &"code".into(), &f64::from(error.exit_code()).into());
    if let weald::Error::Params(problems) = &error {
        let list: js_sys::Array = problems
            .iter()
            .map(|p| js_sys::Array::of2(&p.path.as_str().into(), &p.message.as_str().into()))
            .collect();
        let _ = Reflect::set(&out, &"problems".into(), &list);
    }
    out.into()
}

#[cfg(feature = "engine")]
mod pixels {
    use js_sys::{Float32Array, Int32Array, Uint8Array, Uint8ClampedArray, Uint16Array, Uint32Array};
    use wasm_bindgen::prelude::*;
    use weald::catalogue::Cells;
    use weald::render::{Image, Picture};

    /// The cells of a layer as a typed array of their own type, row after row.
    pub(crate) fn cells(cells: &Cells) -> JsValue {
        match cells {
            Cells::F32(grid) => Float32Array::from(grid.cells()).into(),
            Cells::U8(grid) => Uint8Array::from(grid.cells()).into(),
            Cells::U16(grid) => Uint16Array::from(grid.cells()).into(),
            Cells::U32(grid) => Uint32Array::from(grid.cells()).into(),
            Cells::I32(grid) => Int32Array::from(grid.cells()).into(),
            other => {
                let (w, h) = other.shape();
                let values: Vec<u8> = (0..h)
                    .flat_map(|y| (0..w).map(move |x| (x, y)))
                    .map(|(x, y)| other.at(x, y) as u8)
                    .collect();
                Uint8Array::from(&values[..]).into()
            }
        }
    }

    /// A picture: rows from the top, red, green, blue and opacity of each pixel.
    #[wasm_bindgen]
    pub struct Pixels {
        /// Columns.
        pub width: u32,
        /// Rows.
        pub height: u32,
        rgba: Vec<u8>,
    }

    #[wasm_bindgen]
    impl Pixels {
        /// Four bytes per pixel.
        pub fn rgba(&self) -> Uint8ClampedArray {
            Uint8ClampedArray::from(&self.rgba[..])
        }
    }

    impl Pixels {
        /// An opaque picture.
        pub(crate) fn opaque(image: &Image) -> Self {
            let rgba = image.bytes().chunks_exact(3).flat_map(|p| [p[0], p[1], p[2], 255]).collect();
            Self { width: image.width() as u32, height: image.height() as u32, rgba }
        }

        /// Any picture.
        pub(crate) fn of(picture: &Picture) -> Self {
            match picture {
                Picture::Opaque(image) => Self::opaque(image),
                Picture::Transparent(film) => {
                    let (w, h) = film.size();
                    let at = |i: usize| film.at(i % w, i / w);
                    Self { width: w as u32, height: h as u32, rgba: (0..w * h).flat_map(at).collect() }
                }
                _ => Self { width: 0, height: 0, rgba: Vec::new() },
            }
        }
    }
}
