import { kindsWithMode, modes } from '../../services/realms/desired/kinds.js';
import { isKeyed } from '../../services/realms/files/natural-keys.js';
import { realmSchema, type Shape } from '../../services/realms/files/shape.js';
import { descriptions } from './descriptions.js';
import { removeWord, renamedWord, settingsWord, wordsOf } from './words.js';

const words: Readonly<Record<string, Shape>> = {
  [settingsWord]: {
    description: 'Settings of plan and apply for the realm.',
    type: 'object',
    properties: {
      modes: {
        description:
          'Modes by kind. `FULL` deletes the objects that the files do not have, `KEEP` keeps them, `ADD` also leaves existing objects unchanged.',
        type: 'object',
        properties: Object.fromEntries(kindsWithMode.map((kind) => [kind, { enum: modes }])),
        additionalProperties: false,
      },
      lifecycle: {
        description: 'What plan and apply do not do with objects, by their names, such as `CLIENT/shop`.',
        type: 'object',
        additionalProperties: {
          type: 'object',
          properties: {
            preventDestroy: { description: 'Whether a plan that deletes the object is refused.', type: 'boolean' },
            ignoreChanges: {
              description: 'Fields that stay as they are in the realm, such as `attributes.color`.',
              type: 'array',
              items: { type: 'string' },
            },
          },
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
  },
  [renamedWord]: {
    description: 'Natural key of the object before it was renamed. Keeps its ID and everything that belongs to it.',
    type: 'string',
    minLength: 1,
  },
  [removeWord]: {
    description: 'Removes the object with this natural key. Only in overlays.',
    const: true,
  },
};

/** A reference in place of a switch or number. */
const reference: Shape = { type: 'string', pattern: '\\$\\{(env|file):' };

/** JSON Schema 2020-12 of realm files for editors, as JSON text. */
export function realmSchemaText(): string {
  const { $schema, $ref, $defs } = realmSchema();
  const defs = Object.fromEntries(Object.entries($defs).map(([name, shape]) => [name, forFiles(name, shape)]));
  const schema = {
    $schema,
    title: 'Realmgate realm file',
    description:
      'A realm, or a part of one, that `realmgate validate` checks. The fields are those of RealmRepresentation.',
    $ref,
    $defs: defs,
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** The shape of files: with words, descriptions, and references in place of switches and numbers. */
function forFiles(name: string, { id: _, ...shape }: Shape): Shape {
  const of = descriptions[name] ?? {};
  const named = { $ref: `#/$defs/${name}` };
  const own = Object.entries(shape.properties ?? {}).map(([field, below]) => [
    field,
    described(referable(below), of[field]),
  ]);
  const added = [...wordsOf(named), ...(isKeyed(named) ? [removeWord] : [])].map((word) => [word, words[word]]);
  return shape.properties ? { ...shape, properties: Object.fromEntries([...own, ...added]) } : shape;
}

const described = (shape: Shape, description: string | undefined): Shape =>
  description === undefined ? shape : { description, ...shape };

/** Null means "not given", and removes a field in an overlay. */
function referable(shape: Shape): Shape {
  if (Object.keys(shape).every((keyword) => keyword === 'deprecated')) return shape;
  const { deprecated, ...constraints } = shape;
  const needsReference = !['string', 'object', 'array'].includes(String(shape.type)) && shape.$ref === undefined;
  const alternatives = [constraints, ...(needsReference ? [reference] : []), { type: 'null' }];
  return { anyOf: alternatives, ...(deprecated !== undefined && { deprecated }) };
}
