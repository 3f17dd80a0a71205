/** The latest time that can be stored, in seconds since 1970: its columns have 32 bits. */
const latestTime = 2 ** 31 - 1;

/**
 * A time in whole seconds since 1970, limited to the latest one that can be stored: administrators can set longer
 * lifespans.
 */
export const storableTime = (time: number): number => Math.min(Math.ceil(time), latestTime);
