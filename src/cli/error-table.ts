import { mutationsOf } from '../graph/core/mutation.js';
import { declaredCodes, generalCodes, sharedCodes } from '../graph/core/user-errors.js';
import { operations } from '../services/core/operation.js';
import { refusalCodes } from '../services/core/refusal-codes.js';

/** The mutations with the codes that each has besides those of all mutations, by name. */
function codesOfMutations(): (readonly [string, readonly string[]])[] {
  const rows = [...operations().values()].flatMap((operation) => {
    if (operation.kind !== 'write') return [];
    const codes = declaredCodes(operation).filter((code) => !sharedCodes.some((shared) => shared === code));
    const own = operation.lock ? [...codes, 'STALE'] : codes;
    return mutationsOf(operation.name).map((name) => [name, own.toSorted()] as const);
  });
  return rows.toSorted(([one], [other]) => (one < other ? -1 : 1));
}

const codeTable = (codes: Readonly<Record<string, string>>): string =>
  Object.entries(codes)
    .map(([code, description]) => `| \`${code}\` | ${description} |`)
    .join('\n');

/** The codes of user errors and of each mutation as Markdown. */
export function errorTableText(): string {
  const { STALE, ...general } = generalCodes;
  const { BAD_ID, IDEMPOTENCY_KEY_REUSED, ...further } = refusalCodes;
  const rows = codesOfMutations()
    .filter(([, codes]) => codes.length > 0)
    .map(([name, codes]) => `| \`${name}\` | ${codes.map((code) => `\`${code}\``).join(', ')} |`);
  return `# Which errors does a mutation have?

Each entry of \`userErrors\` has a \`code\`, the \`path\` of the input field, and a \`message\`. This file is generated: \`npm run print-schema\`.

## Codes of all mutations

| code | meaning |
| --- | --- |
${codeTable({ ...general, BAD_ID, IDEMPOTENCY_KEY_REUSED })}

## Further codes

| code | meaning |
| --- | --- |
${codeTable({ ...further, STALE })}

## Further codes of each mutation

A mutation that is not listed has only the codes of all mutations.

| mutation | codes |
| --- | --- |
${rows.join('\n')}
`;
}
