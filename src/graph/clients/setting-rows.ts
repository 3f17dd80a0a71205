import { clientFields } from '../../services/clients/fields.js';
import type { ClientInput } from '../../services/clients/representation.js';
import type { Field } from '../../services/core/fields.js';
import { describeEffect } from '../../services/core/settings-without-effect.js';
import { flag, shortText } from '../../services/core/shape.js';
import type { TypedSetting } from '../core/setting-types.js';
import type { Choice } from '../realms/choices.js';
import type { ClientChoice } from './choices.js';

type AnyChoice = Choice | ClientChoice;
type Kind = TypedSetting<AnyChoice>['kind'];

/** A setting with its place: a field of ClientRepresentation, or an attribute of the client. */
export interface ClientSetting extends TypedSetting<AnyChoice> {
  field?: keyof ClientInput;
  attribute?: string;
  /** value of a flag if the attribute is missing; default: false */
  standard?: boolean;
  /** number in the contract that stands for null */
  none?: number;
}

type More = Partial<Pick<ClientSetting, 'standard' | 'none' | 'least' | 'nullable'>>;

const kindOf = ({ shape, graph: { kind } = {} }: Field): Kind =>
  kind ?? (shape === flag ? 'flag' : shape === shortText ? 'text' : 'count');

/** The settings of a group that are fields of ClientRepresentation. */
export const fieldSettings = (group: string): ClientSetting[] =>
  Object.entries<Field>(clientFields).flatMap(([contractName, field]) => {
    const { graph, description = '' } = field;
    if (graph?.group !== group) return [];
    return [
      {
        name: graph.name ?? contractName,
        field: contractName as keyof ClientInput,
        kind: kindOf(field),
        description: describeEffect({ of: 'ClientRepresentation' }, contractName, description),
        ...(graph.none !== undefined && { none: graph.none, nullable: true }),
      },
    ];
  });

/** A setting that is an attribute of the client. Null removes the attribute; a flag then has its default. */
export const attribute = (
  name: string,
  stored: string,
  kind: Kind,
  description: string,
  more: More = {},
): ClientSetting => ({
  name,
  attribute: stored,
  kind,
  description: describeEffect({ of: 'ClientRepresentation', map: 'attributes' }, stored, description),
  nullable: kind !== 'flag' && kind !== 'texts',
  ...more,
});
