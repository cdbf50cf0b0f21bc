// numbers.ts: bounds, and places in ordered lists.

/** Between low and high; what is not a number becomes 0. */
export function clamp(value: number, low: number, high: number): number {
    return value < low ? low : value > high ? high : value === value ? value : 0;
}

/** How many of the first `count` values of an ascending list are below `value`, by halving. */
export function countBelow(list: ArrayLike<number>, count: number, value: number): number {
    let low = 0;
    let high = count;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (list[middle]! < value) low = middle + 1;
        else high = middle;
    }
    return low;
}
