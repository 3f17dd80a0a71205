/**
 * Whether a moment is less than `age` milliseconds ago. A future moment is not: the clock was set back, and its age is
 * unknown.
 */
export const isRecent = (moment: number, age: number, now: number): boolean => moment <= now && now - moment < age;
