/** A setting that is wrong. The message is one sentence for the operator and holds no secret. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/**
 * The settings in the file at `path`, which the setting `named` leads to: KEY=VALUE lines or a JSON object. Throws a
 * ConfigError for a file that cannot be read, and for what is not among the `known` names.
 */
export function readSettingsFile(
  named: string,
  path: string,
  known: ReadonlySet<string>,
  readFile: (path: string) => string,
): Record<string, string> {
  const text = readValue(named, path, readFile);
  const entries = text.trimStart().startsWith('{') ? jsonEntries(path, text) : lineEntries(path, text);
  for (const [name] of entries) {
    if (!known.has(name)) throw new ConfigError(`${path} sets ${name}, which is not a setting.`);
  }
  return Object.fromEntries(entries);
}

/** The text of the file that the setting `named` leads to. Throws a ConfigError if it cannot be read. */
export function readValue(named: string, path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`${named} must be the path of a readable file, but is ${JSON.stringify(path)} (${reason}).`);
  }
}

function jsonEntries(path: string, text: string): [string, string][] {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // the parser's message quotes the text, in which secrets may stand
    throw new ConfigError(`${path} starts like a JSON object, but is not valid JSON.`);
  }
  return Object.entries(content as Record<string, unknown>).map(([name, value]) => {
    if (!['string', 'number', 'boolean'].includes(typeof value)) {
      throw new ConfigError(`${path} sets ${name} to something that is not a text, a number, true or false.`);
    }
    return [name, String(value)];
  });
}

function lineEntries(path: string, text: string): [string, string][] {
  return text.split(/\r?\n/).flatMap((line, index): [string, string][] => {
    if (/^\s*(#|$)/.test(line)) return [];
    const [, name, value] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new ConfigError(`Line ${index + 1} of ${path} is not of the form KEY=VALUE.`);
    }
    const [, , quoted] = /^(["'])(.*)\1$/.exec(value) ?? [];
    return [[name, quoted ?? value]];
  });
}
