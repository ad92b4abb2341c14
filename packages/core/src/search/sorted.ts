// Searches sorted lists.

/** Returns the index of the first item that is not less than `wanted`, or the length of the list. */
export function placeIn<T extends string | number>(sorted: ArrayLike<T>, wanted: T): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = sorted[middle];
    if (item !== undefined && item < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
