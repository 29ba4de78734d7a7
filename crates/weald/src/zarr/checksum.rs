//! The checksum CRC-32C of Castagnoli (RFC 3720, appendix B.4).

/// What a byte does to the checksum that so many bytes follow.
static TABLES: [[u32; 256]; 16] = tables();

const fn tables() -> [[u32; 256]; 16] {
    let mut out = [[0; 256]; 16];
    let mut byte = 0;
    while byte < 256 {
        let (mut crc, mut bit) = (byte as u32, 0);
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0x82f6_3b78 } else { crc >> 1 };
            bit += 1;
        }
        out[0][byte] = crc;
        byte += 1;
    }
    let mut after = 1;
    while after < 16 {
        let mut byte = 0;
        while byte < 256 {
            let crc = out[after - 1][byte];
            out[after][byte] = crc >> 8 ^ out[0][(crc & 255) as usize];
            byte += 1;
        }
        after += 1;
    }
    out
}

/// The checksum of the bytes, sixteen at a time.
pub(super) fn crc32c(bytes: &[u8]) -> u32 {
    let (pieces, rest) = bytes.as_chunks::<16>();
    let mut crc = !0u32;
    for piece in pieces {
        let word = u128::from_le_bytes(*piece) ^ u128::from(crc);
        let parts = word.to_le_bytes();
        crc = (0..16).fold(0, |sum, k| sum ^ TABLES[15 - k][usize::from(parts[k])]);
    }
    !rest.iter().fold(crc, |crc, &byte| crc >> 8 ^ TABLES[0][usize::from(crc as u8 ^ byte)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
    }

    #[test]
    fn many_bytes_at_a_time_give_the_checksum_of_one_after_the_other() {
        let bytes: Vec<u8> = (0..200u32).map(|i| ((i * i) >> 3) as u8).collect();
        let slow = |bytes: &[u8]| {
            let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0x82f6_3b78 } else { crc >> 1 };
            !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
        };
        assert!((0..200).all(|n| crc32c(&bytes[n / 3..n]) == slow(&bytes[n / 3..n])));
    }
}
