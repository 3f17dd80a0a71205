/**
 * Whether a moment is less than `age` milliseconds ago. One that lies ahead is not: the clock was set back since, and nobody knows how
 * long ago it was.
 */
export const isRecent = (moment: number, age: number, now: number): boolean => moment <= now && now - moment < age;
