use super::filter::{FILTERS, Filter};
use super::*;
use proptest::prelude::*;

const PIXELS: [(Pixel, ::png::ColorType); 4] = [
    (Pixel::Grey16, ::png::ColorType::Grayscale),
    (Pixel::Index8, ::png::ColorType::Indexed),
    (Pixel::Rgb8, ::png::ColorType::Rgb),
    (Pixel::Rgba8, ::png::ColorType::Rgba),
];

fn file(size: (usize, usize), pixel: Pixel, bytes: &[u8]) -> Vec<u8> {
    let palette: Vec<u8> = (0..768).map(|k| (k % 251) as u8).collect();
    let colours = match pixel {
        Pixel::Grey16 => Colours::Unsaid,
        Pixel::Index8 => Colours::Palette(&palette),
        Pixel::Rgb8 | Pixel::Rgba8 => Colours::Srgb,
    };
    let stride = size.0 * pixel.bytes();
    let mut out = Vec::new();
    let row = |y: usize, row: &mut [u8]| row.copy_from_slice(&bytes[y * stride..][..stride]);
    Picture { size, pixel }.write(&mut out, colours, row).unwrap();
    out
}

/// The pixels as another reader sees them, which also compares every checksum.
fn read(file: &[u8]) -> ((usize, usize), ::png::ColorType, Vec<u8>) {
    let mut reader = ::png::Decoder::new(io::Cursor::new(file)).read_info().unwrap();
    let mut raw = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut raw).unwrap();
    reader.finish().unwrap();
    ((info.width as usize, info.height as usize), info.color_type, raw)
}

/// Bytes with stretches of zeros, of steps and of noise, by a few numbers.
fn bytes(n: usize, seed: u64, kind: u8) -> Vec<u8> {
    let noise = weald_core::Seed(seed);
    let at = |i: usize| match (kind, noise.at((i / 97) as i64, 1) % 4) {
        (0, _) => 0,
        (1, _) => noise.at(i as i64, 0) as u8,
        (_, 0) => 0,
        (_, 1) => (i / 3) as u8,
        (_, 2) => 7,
        _ => noise.at(i as i64, 0) as u8,
    };
    (0..n).map(at).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn another_reader_gets_the_same_pixels(
        (width, height) in prop_oneof![(1usize..40, 1usize..40), Just((1, 1)), (1usize..3000, Just(1)), (Just(1), 1usize..3000)],
        which in 0usize..4, seed: u64, kind in 0u8..3,
    ) {
        let (pixel, colour) = PIXELS[which];
        let raw = bytes(width * height * pixel.bytes(), seed, kind);
        prop_assert_eq!(read(&file((width, height), pixel, &raw)), ((width, height), colour, raw));
    }

    #[test]
    fn filters_equal_the_rule_written_plainly(seed: u64, n in 1usize..80, pixel in 1usize..5) {
        let (above, here) = (bytes(n, seed, 1), bytes(n, !seed, 1));
        for filter in FILTERS {
            let mut out = vec![0; n];
            filter.apply(pixel, &above, &here, &mut out);
            for i in 0..n {
                let left = if i < pixel { 0 } else { i32::from(here[i - pixel]) };
                let corner = if i < pixel { 0 } else { i32::from(above[i - pixel]) };
                let up = i32::from(above[i]);
                let p = left + up - corner;
                let expected = match filter {
                    Filter::None => 0,
                    Filter::Sub => left,
                    Filter::Up => up,
                    Filter::Average => (left + up) / 2,
                    // The first of those that are nearest.
                    Filter::Paeth => *[left, up, corner].iter().min_by_key(|v| (p - **v).abs()).unwrap(),
                };
                prop_assert_eq!(i32::from(out[i]), (i32::from(here[i]) - expected).rem_euclid(256), "{:?} at {}", filter, i);
            }
        }
    }

    #[test]
    fn sums_of_parts_join_to_the_sum_of_the_whole(seed: u64, cut in 0usize..=30_000) {
        let all = bytes(30_000, seed, 1);
        let joined = deflate::Adler::of(&all[..cut]).then(deflate::Adler::of(&all[cut..]));
        prop_assert_eq!(joined, deflate::Adler::of(&all));
    }

    #[test]
    fn codes_are_complete_and_as_short_as_asked(seed: u64, some in 2usize..286, skew in 0u32..31) {
        let noise = weald_core::Seed(seed);
        let counts = std::array::from_fn(|k| match k < some {
            true => 1 + (noise.at(k as i64, 0) as u32 >> 1 >> (noise.at(k as i64, 1) % (u64::from(skew) + 1))),
            false => 0,
        });
        let lengths = deflate::lengths(&counts, 12);
        prop_assert!(lengths.iter().zip(&counts).all(|(&l, &n)| (l > 0) == (n > 0) && l <= 12));
        let filled: u32 = lengths.iter().filter(|l| **l > 0).map(|&l| 1 << (12 - l)).sum();
        prop_assert_eq!(filled, 1 << 12);
    }
}

#[test]
fn many_bands_are_the_same_bytes_for_any_number_of_threads() {
    let (size, pixel) = ((700, 601), Pixel::Rgb8);
    let raw = bytes(size.0 * size.1 * 3, 5, 2);
    let by_threads = |n| {
        rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap().install(|| file(size, pixel, &raw))
    };
    let one = by_threads(1);
    let chunks = one.windows(4).filter(|w| w == b"IDAT").count();
    assert!(chunks > 3, "there are {chunks} bands");
    assert_eq!(read(&one), (size, ::png::ColorType::Rgb, raw.clone()));
    assert!(by_threads(2) == one && by_threads(7) == one);
}

#[test]
fn level_ground_is_almost_nothing_and_noise_hardly_grows() {
    let n = 512;
    let level = file((n, n), Pixel::Rgba8, &vec![7; n * n * 4]);
    assert!(level.len() < 8000, "{}", level.len());
    let noise = file((n, n), Pixel::Rgba8, &bytes(n * n * 4, 1, 1));
    assert!(noise.len() < n * n * 4 * 101 / 100, "{}", noise.len());
}

#[test]
fn a_picture_without_pixels_is_refused() {
    let none = Picture { size: (0, 4), pixel: Pixel::Rgb8 };
    let refused = none.write(&mut Vec::new(), Colours::Srgb, |_, _| ()).unwrap_err();
    assert_eq!(refused.to_string(), "a picture of 0 x 4 pixels has no PNG form");
}
