import { codesOfMutations } from '../graph/core/mutation.js';
import { generalCodes } from '../graph/core/user-errors.js';
import { refusalCodes } from '../services/core/refusal-codes.js';

/** A section for each code: errors link to it. */
const sections = (codes: Readonly<Record<string, string>>): string =>
  Object.entries(codes)
    .map(([code, description]) => `### \`${code}\`\n${description}`)
    .join('\n\n');

/** The codes of user errors and of each mutation as Markdown. */
export function errorTableText(): string {
  const { STALE, ...general } = generalCodes;
  const { BAD_ID, IDEMPOTENCY_KEY_REUSED, ...further } = refusalCodes;
  const rows = codesOfMutations()
    .filter(([, codes]) => codes.length > 0)
    .map(([name, codes]) => `| \`${name}\` | ${codes.map((code) => `\`${code}\``).join(', ')} |`);
  return `# Which errors does a mutation have?

Each entry of \`userErrors\` has a \`code\`, the \`path\` of the input field, a \`message\`, and the address of the section below that explains the code (\`documentation\`). This file is generated: \`npm run print-schema\`.

## Codes of all mutations

${sections({ ...general, BAD_ID, IDEMPOTENCY_KEY_REUSED })}

## Further codes

${sections({ ...further, STALE })}

## Further codes of each mutation

A mutation that is not listed has only the codes of all mutations.

| mutation | codes |
| --- | --- |
${rows.join('\n')}
`;
}
