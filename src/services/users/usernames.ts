import { invalid } from '../core/refusal.js';

/** A user name as it is stored and compared: NFKC, lower case, without white space around it and with single spaces in it. */
export const storedUsername = (name: string): string =>
  name.normalize('NFKC').toLowerCase().normalize('NFKC').trim().replace(/ {2,}/g, ' ');

/** Characters that nobody sees, or that change how those beside them are shown; U+2800 is a blank of Braille. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u1680\u2800]/u;

const scripts = {
  latin: /\p{Script=Latin}/u,
  cyrillic: /\p{Script=Cyrillic}/u,
  greek: /\p{Script=Greek}/u,
  armenian: /\p{Script=Armenian}/u,
} as const;
type ScriptName = keyof typeof scripts;
const names = Object.keys(scripts) as ScriptName[];

/** Lower-case letters that look like Latin ones (UTS 39), each pair with the Latin one last. */
const pairs: Record<Exclude<ScriptName, 'latin'>, string> = {
  cyrillic: 'аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw ӏl ѵv',
  greek: 'αa ιi κk νv οo ρp υu χx ϳj γy ωw ηn τt',
  armenian: 'օo սu հh ոn ցg յj զq',
};

const toLatin = new Map<string, string>();
const fromLatin: Record<ScriptName, Map<string, string>> = {
  latin: new Map(),
  cyrillic: new Map(),
  greek: new Map(),
  armenian: new Map(),
};
for (const [script, list] of Object.entries(pairs) as [ScriptName, string][]) {
  for (const [foreign = '', latin = ''] of list.split(' ').map((pair) => [...pair])) {
    toLatin.set(foreign, latin);
    fromLatin[script].set(latin, foreign);
  }
}

/** Nobody has a longer name, so that a longer one looks like none. */
const longest = 255;
const isLetter = (character: string): boolean => /\p{L}/u.test(character);
const scriptOf = (character: string): ScriptName | undefined => names.find((name) => scripts[name].test(character));

/** The text in letters of one script that look the same; nothing where a letter of it has no such one. */
function inScript(text: string, script: ScriptName): string | undefined {
  let result = '';
  for (const character of text.normalize('NFD')) {
    if (!isLetter(character) || scriptOf(character) === script) {
      result += character;
      continue;
    }
    const latin = toLatin.get(character) ?? character;
    const same = script === 'latin' ? latin : fromLatin[script].get(latin);
    if (same === undefined || scriptOf(same) !== script) return undefined;
    result += same;
  }
  return result.normalize('NFC');
}

/** Whether letters of several scripts in one word look like a word of one script. */
function isDisguised(username: string): boolean {
  if (username.length > longest) return false;
  const words = username.match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.some((word) => {
    const used = new Set([...word].flatMap((character) => (isLetter(character) ? (scriptOf(character) ?? []) : [])));
    return used.size > 1 && names.some((script) => inScript(word, script) !== undefined);
  });
}

/** Other names that look the same as this one, in letters of other scripts. */
export function lookAlikes(username: string): string[] {
  if (username.length > longest) return [];
  const others = names.flatMap((script) => inScript(username, script) ?? []);
  return [...new Set(others)].filter((other) => other !== username);
}

/** Why nobody may have this name, as it is stored; nothing where somebody may. */
export function usernameFault(username: string): string | undefined {
  if (unseen.test(username)) return 'User name must not contain invisible or control characters';
  if (isDisguised(username)) return 'User name must not mix similar letters of several scripts';
  return undefined;
}

/** Refuses a name that nobody may have. */
export function requireUsername(username: string, field = 'username'): void {
  const fault = usernameFault(username);
  if (fault !== undefined) throw invalid(fault, field, { code: 'USERNAME_INVALID' });
}
