/** The address of a server in the line that it prints when it serves; undefined until then. */
export function startedUrl(output: string): string | undefined;
