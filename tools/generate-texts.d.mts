/** The differences between the texts of a folder in two languages, one sentence for each. */
export function differencesOf(folder: string, texts: Record<string, string>, others: Record<string, string>): string[];
