//! Is there memory for what is about to be made? A lack of it is an error to tell, where a vector would end the process.

/// There is not so much memory.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("no {} MiB of memory for {cells} cells: take larger cells, or a smaller area", bytes >> 20)]
#[non_exhaustive]
pub struct MemoryError {
    /// Cells or samples.
    pub cells: usize,
    /// Bytes that they take on the way.
    pub bytes: usize,
}

/// Asks for the memory of all steps at once, and gives it back.
pub(crate) fn check_memory(cells: usize, bytes_a_cell: usize) -> Result<(), MemoryError> {
    let bytes = cells.saturating_mul(bytes_a_cell);
    let mut room: Vec<u8> = Vec::new();
    room.try_reserve_exact(bytes).map_err(|_| MemoryError { cells, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_there_can_be_is_told() {
        assert_eq!(check_memory(1_000, 16), Ok(()));
        let refused = check_memory(usize::MAX / 4, 16).expect_err("no such memory");
        assert_eq!(refused.bytes, usize::MAX);
        assert!(refused.to_string().contains("larger cells"), "{refused}");
    }
}
