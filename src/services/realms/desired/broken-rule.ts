import type { ModelName } from '../../../database/db.js';
import type { Refusal } from '../../core/refusal.js';
import type { Row } from './delta.js';

/** A rule of the operations on single objects that a row of a plan breaks. */
export interface BrokenRule {
  model: ModelName;
  row: Row;
  refusal: Refusal;
  /** the columns that the rule is about; empty if it is about the row as a whole */
  columns: readonly string[];
  /** whether another state of the row breaks the same rule */
  breaks: (other: Row) => Promise<boolean>;
  /** whether the rule involves other objects, too: the same row can break it later */
  isShared?: true;
}
