/** A kind of sentence that readers stumble over. */
export interface Rule {
  pattern: RegExp;
  /** why it is refused, and what to write instead */
  reason: string;
}

/** Refused in every text: descriptions, messages and documents. */
export const phrases: readonly Rule[] = [
  { pattern: /\bunless told\b/i, reason: 'State the default: "Default 20."' },
  { pattern: /\bwhich of them\b/i, reason: 'Name what is selected: "Returns only the users that match."' },
  { pattern: /\bwhat to do\b/i, reason: 'Name the thing: "Input of `userUpdate`."' },
  { pattern: /\bwhat (it|they) (is|are) for\b/i, reason: 'Name the thing: "Description of the role."' },
  { pattern: /\bwho(m|se)?ever\b/i, reason: 'Name the person: "callers", "users".' },
  { pattern: /\bthere is nothing here\b/i, reason: 'Write "Not found".' },
  { pattern: /\bthere already\b/i, reason: 'Write "already exists".' },
  { pattern: /\bit is there\b|\bis not there\b/i, reason: 'Write "exists" or "does not exist".' },
  { pattern: /\bthere is no such\b/i, reason: 'Name the thing: "Role not found".' },
  { pattern: /\bit has to be said\b/i, reason: 'Name the field: "`userId` is required".' },
  { pattern: /\bmade of points\b/i, reason: 'Use the field\'s own word: "dots".' },
  { pattern: /\bis gone\b|\bare gone\b/i, reason: 'Write "deleted" or "no longer valid".' },
  { pattern: /\b(is|are|was|were) told\b|\btells of\b/i, reason: 'Write "receives", "is notified", "states".' },
  { pattern: /\bname for people\b/i, reason: 'Write "display name".' },
  { pattern: /\bfree data\b/i, reason: 'Write "custom attributes".' },
  { pattern: /\bwhere it is found\b|\bwhere to, at\b/i, reason: 'Name the URL.' },
  { pattern: /\bas it is now\b|\bas they are now\b/i, reason: 'Write "after the change".' },
  { pattern: /\bmeanwhile\b/i, reason: 'Write "in the meantime".' },
  { pattern: /\bcannot lead to itself\b|\blie in one another\b/i, reason: 'Write "contain", "nested".' },
  { pattern: /\b[Aa] [aei][a-z]+\b|\bA (A[a-z]|E[a-z]|I[a-z]|O[a-z])[A-Za-z]*\b/, reason: '"An" before a vowel.' },
  {
    pattern: /\bTakes (one of |both |the permission )?[a-z]+-[a-z]+/,
    reason: 'State it with `requires` of the field.',
  },
  { pattern: /\bthose that new\b/i, reason: 'Write "default groups", "default client scopes".' },
  { pattern: /\b(do|does) not know\b/i, reason: 'Write "does not support".' },
  { pattern: /\bpeople\b(?!\.)/i, reason: 'Write "users".' },
  { pattern: /\bany ?more\b/i, reason: 'Write "no longer".' },
  { pattern: /\bis ours\b|\bof our own\b/i, reason: 'Write "this project maintains".' },
  {
    pattern: /\bpage of a list\b|\bthe object itself\b/i,
    reason: 'Name the type: "A page of objects of type `Role`."',
  },
  { pattern: /\be-mails?\b/i, reason: 'Write "email".' },
  { pattern: /\bof whom\b|\bto whom it\b/i, reason: 'Say it in two sentences.' },
];

/** Refused in descriptions, which are read alone, in a tooltip. */
export const leaning: readonly Rule[] = [
  { pattern: /^(It|Its|They|Their|Them|He|His)\b/, reason: 'Name the subject.' },
  {
    pattern: /^(Whether|When|Where|How|What|Which|By which|Of which) (it|its|they|their|those|one)\b(?!-)/i,
    reason: 'Name the subject.',
  },
  {
    pattern: /^The (same|opposite|other|former|latter)\b/,
    reason: 'Repeat what it is the same as or the opposite of.',
  },
  {
    pattern: /^(Which one|Which kind|That of|Those|Only those|Of one of|One of these|All of these|Not this|As it)\b/,
    reason: 'Name the subject.',
  },
  { pattern: /^(Or|And|But|Also|Likewise|Then)\b/, reason: 'Start with the subject.' },
  { pattern: /\bhere\b/i, reason: 'Name the place: "by this mutation", "in the database".' },
  { pattern: /\b(Null|Empty) without\b/, reason: 'Write "Null if the caller lacks the permission".' },
  { pattern: /\bWithout a body: /, reason: 'Write the verb: "Without a body, removes all mappings."' },
  { pattern: /^(New|The|A|An) (one|thing|value)s?\.$/i, reason: 'Name the thing.' },
];

/** Texts that keep a refused form, with the reason. */
export const exceptions: ReadonlyMap<string, string> = new Map([]);
