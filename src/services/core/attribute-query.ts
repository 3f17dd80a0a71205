const quoted = /"(?:\\.|[^"\\])*"/y;
const bareName = /[^\s:"]+/y;
const bareValue = /\S+/y;

const unquoted = (text: string): string => text.slice(1, -1).replace(/\\(.)/g, '$1');

/** The attributes that `q=key:value key2:"a value"` asks for. Reads each character a bounded number of times. */
export function attributesOf(query: string): [name: string, value: string][] {
  const found: [string, string][] = [];
  let at = 0;
  // whether a quotation mark may still have its second one
  let closes = true;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const text = pattern.exec(query)?.[0];
    if (text !== undefined) at += text.length;
    return text;
  };
  const takeQuoted = (): string | undefined => {
    if (!closes || query[at] !== '"') return undefined;
    const text = take(quoted);
    closes = text !== undefined;
    return text && unquoted(text);
  };
  while (at < query.length) {
    const name = takeQuoted() ?? take(bareName);
    if (name === undefined || query[at] !== ':') {
      if (name === undefined) at += 1;
      continue;
    }
    at += 1;
    const value = takeQuoted() ?? take(bareValue);
    if (value !== undefined) found.push([name, value]);
  }
  return found;
}
