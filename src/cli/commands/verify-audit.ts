import type { Verdict } from '../../services/audit/verdict.js';
import { verifyChain } from '../../services/audit/verify.js';
import { compareFile } from '../../services/audit/verify-file.js';
import { counted } from '../../services/core/counted.js';
import { createSealer, sealingKeys } from '../../services/core/seal.js';
import { print } from '../print.js';
import { withServices } from '../with-services.js';

interface Options {
  /** a copy of AUDIT_FILE */
  file?: string;
  json?: boolean;
}

/** Prints the result of the verification of the audit chain. The exit status is 1 if something differs. */
export const verifyAudit = ({ file, json = false }: Options): Promise<void> =>
  withServices(async ({ config, database, now }) => {
    // a value that cannot be opened is a finding, not a log line
    const sealer = createSealer(sealingKeys(config));
    const verdict = await verifyChain({ config, database, sealer, now });
    if (!verdict) throw new Error('The database has no audit chain. Start the service with AUDIT_CHAIN=true.');
    const compared = file === undefined ? undefined : await compareFile({ database }, verdict, file);
    if (compared === 0) throw new Error(`The file ${file} states no block of an audit chain.`);
    if (json) print(JSON.stringify({ ...verdict, ...(compared !== undefined && { compared }) }, undefined, 2));
    else for (const line of linesOf(verdict, compared)) print(line);
    if (!verdict.isIntact) process.exitCode = 1;
  });

function* linesOf(verdict: Verdict, compared: number | undefined): Generator<string> {
  const { blocks, events, expired, unsealed, head, isKeyed, findings, omitted, isIntact } = verdict;
  for (const { text } of findings) yield `problem  ${text}`;
  if (omitted > 0) yield `problem  ${counted(omitted, 'more finding')}.`;
  if (!isKeyed) yield 'warning  SECRETS_KEY is not set: users who can write to the database could make the chain anew.';
  for (const [realmId, count] of Object.entries(expired))
    yield `expired  ${counted(count, 'event')} of realm ${realmId}`;
  if (unsealed > 0) yield `unsealed ${counted(unsealed, 'event')} after the last block`;
  if (head) yield `head     block ${head.number} of ${head.sealedAt}, hash ${head.hash}`;
  if (compared !== undefined) yield `file     ${counted(compared, 'line')} of blocks compared`;
  const result = isIntact ? 'The audit chain is intact' : 'The audit chain does not match';
  yield `${isIntact ? 'ok      ' : 'problem '} ${result}: ${counted(blocks, 'block')}, ${counted(events, 'matching event')}.`;
}
