/** The kind of a mismatch. */
type FindingKind =
  | 'blockChanged'
  | 'blockMissing'
  | 'blockReplaced'
  | 'proofInvalid'
  | 'eventAdded'
  | 'eventChanged'
  | 'eventMissing'
  | 'endMissing'
  | 'fileDiffers';

/** A mismatch. */
export interface Finding {
  kind: FindingKind;
  /** number of the block */
  block: number;
  /** ID of the event; undefined if the finding is about a block */
  event?: string;
  text: string;
}

/** The result of a verification. */
export interface Verdict {
  isIntact: boolean;
  blocks: number;
  /** events that match */
  events: number;
  /** missing events that have expired, by the ID of their realm */
  expired: Record<string, number>;
  /** events after the last block */
  unsealed: number;
  /** the last block; null if there is none */
  head: { number: number; hash: string; sealedAt: string } | null;
  /** whether the proofs were made with SECRETS_KEY */
  isKeyed: boolean;
  findings: Finding[];
  /** number of further findings */
  omitted: number;
}

/** Findings that are listed. */
const mostFindings = 1000;

/** A verdict to which findings are added. */
export function emptyVerdict(isKeyed: boolean): Verdict {
  const counts = { blocks: 0, events: 0, expired: {}, unsealed: 0, omitted: 0 };
  return { isIntact: true, ...counts, head: null, isKeyed, findings: [] };
}

/** Adds something that does not match. */
export function addFinding(verdict: Verdict, finding: Finding): void {
  verdict.isIntact = false;
  if (verdict.findings.length < mostFindings) verdict.findings.push(finding);
  else verdict.omitted += 1;
}
