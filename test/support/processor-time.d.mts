/** Seconds of processor time of this process and of those that it started and that have ended; zeros on systems without /proc. */
export function processorTime(): { own: number; children: number };
