//! Lists that grow or are used again.

/// Upper bound of the bytes of a list while `more` elements are added to it. While the list grows,
/// the old and the new buffer exist.
pub(crate) fn grown_bytes<T>(list: &Vec<T>, more: u64) -> u64 {
    let capacity = list.capacity() as u64;
    let needed =
        if list.len() as u64 + more > capacity { 3 * capacity.max(4) + more } else { capacity };
    needed * size_of::<T>() as u64
}

/// Gives a list `length` equal elements.
#[inline]
pub(crate) fn refill<T: Copy>(list: &mut Vec<T>, length: usize, value: T) {
    list.clear();
    list.resize(length, value);
}
