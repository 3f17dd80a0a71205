import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';

/** In every secret of the test, and nowhere else. */
export const mark = 'Planted7f3a';

const made = new Set<string>();

/** A secret that is recognised wherever it turns up. It fulfils every rule for passwords. */
export function secret(of: string): string {
  const text = `${mark}-${of}!`;
  made.add(text);
  return text;
}

/** Has a secret of the service's own making looked for as well. */
export function lookFor(text: string | undefined): string {
  if (!text) throw new Error('there is no secret to look for');
  made.add(text);
  return text;
}

/** The ways in which a text is written by those who did not mean to. */
const spellings = (text: string): string[] => [
  text,
  encodeURIComponent(text),
  Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -2),
  Buffer.from(text).toString('base64url').slice(0, -2),
  Buffer.from(text).toString('hex'),
];

/** The secrets that a text gives away, with what is around them. */
export function secretsIn(text: string): string[] {
  const found = [...made].flatMap((planted) =>
    spellings(planted)
      .filter((spelling) => text.includes(spelling))
      .map((spelling) => around(text, spelling)),
  );
  return [...new Set(found)];
}

const around = (text: string, part: string): string => {
  const at = text.indexOf(part);
  return text.slice(Math.max(0, at - 120), at + part.length + 20);
};

/** Everything that the database holds, as text. */
export async function contentOf(databaseUrl: string): Promise<string> {
  if (databaseUrl.startsWith('file:')) {
    const folder = dirname(databaseUrl.slice('file:'.length));
    return readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('\n');
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    const rows: string[] = [];
    for (const { name } of tables.rows) {
      const { rows: found } = await client.query<{ text: string }>(
        `SELECT row_to_json(t)::text AS text FROM ${name} t`,
      );
      rows.push(...found.map(({ text }) => text));
    }
    return rows.join('\n');
  } finally {
    await client.end();
  }
}
