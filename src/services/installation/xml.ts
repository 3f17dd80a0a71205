/** An element: attributes start with @, `#` is text, and a list stands for several of one name. */
export type Element = Record<string, unknown>;

/** Writes an element, by its name, as XML without a declaration. Characters that XML cannot have are replaced. */
export async function xml(element: Element): Promise<string> {
  // only when it is asked for, which is rare: it would lengthen every start
  const { create } = await import('xmlbuilder2');
  return create({ invalidCharReplacement: '\uFFFD' }, element).end({
    headless: true,
    prettyPrint: true,
    indent: '    ',
  });
}

/** A value in a command of the console of JBoss, in quotes. */
export const quoted = (text: string): string =>
  `"${text.replace(/[\r\n\t]+/g, ' ').replace(/[\\"$]/g, (character) => `\\${character}`)}"`;
