import type { Pause } from '../../../database/turns.js';
import { decodeKnown, type Known } from '../../core/decode-known.js';
import { decodeLongLists, type Place, placedPath } from '../../core/long-lists.js';
import { RealmRepresentation } from '../representation.js';
import type { Json } from './kinds.js';

/**
 * The known fields of a file. Its long lists are decoded in portions, so that other requests run in between. Throws as
 * `decode`.
 */
export async function decodeFile(file: Json, pause: Pause): Promise<Known<typeof RealmRepresentation>> {
  const ignored: string[][] = [];
  const decode = (part: unknown, place: Place = (path) => path) => {
    const known = decodeKnown(RealmRepresentation, part);
    ignored.push(...known.ignored.map((path) => placedPath(path, place)));
    return known.input;
  };
  const input = await decodeLongLists(file, decode, pause);
  return { input, ignored };
}
