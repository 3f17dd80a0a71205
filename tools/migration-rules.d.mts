export function wrongIn(name: string, sql: string): string[];
