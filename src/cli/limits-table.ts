import { declaredLimits, limitAreas } from '../config/limits.js';
// declare limits, and are not loaded with the schemas
import '../database/where.js';
import '../http/listening.js';
import '../http/surfaces.js';
import '../services/core/fetch-public.js';

const head = `# Which limits does a request have?

Input beyond a limit is refused before any work is done for it, unless the table says something else. In REST, the answer has the status 400 and names the
field. In GraphQL, a mutation has a user error with the code \`INVALID\` and the path of the field; a query has an error with the code \`INVALID\`. This file is
generated: \`npm run print-schema\`.

Some limits are settings: \`BODY_LIMIT\` and \`IMPORT_BODY_LIMIT\` for bodies, \`CONNECTIONS_PER_ADDRESS\` and \`SUBSCRIPTIONS_PER_CALLER\` for what stays open.
[settings.md](settings.md) has their defaults. [security.md](security.md) describes the limits that depend on the form of a request, such as compression.
`;

const shown = (count: number): string => count.toLocaleString('en');

/** docs/limits.md: a row for each of the limits, by area and name. */
export function limitsTableText(): string {
  const sections = limitAreas.flatMap((area) => {
    const own = declaredLimits()
      .filter((one) => one.area === area)
      .toSorted((one, other) => (one.what < other.what ? -1 : 1))
      .map(({ what, most, unit, beyond }) => `| ${what} | ${shown(most)} ${unit} | ${beyond} |`);
    return own.length === 0
      ? []
      : [`\n## ${area}\n| what | limit | beyond it |\n| --- | --- | --- |\n${own.join('\n')}\n`];
  });
  return head + sections.join('');
}
