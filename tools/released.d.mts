export const releasedPackage: string;
export function unpackReleased(folder: string, paths?: string[]): void;
