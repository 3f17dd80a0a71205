/** A number with its noun, such as `1 object` and `2 objects`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
