import { type RecordedClass, representations } from './documents.js';

/** Classes that have another name in the OpenAPI document. */
const otherNames: Record<string, string> = {
  AssociatedPolicyResult: 'PolicyResultRepresentation',
  BuiltinProtocolMapper: 'ProtocolMapperRepresentation',
  'ClientScopeRepresentation-Update': 'ClientScopeRepresentation',
  JsPolicyRepresentation: 'JSPolicyRepresentation',
  SynchronizationResult: 'SynchronizationResultRepresentation',
};
/** The documents have these prefixed by the class that they belong to. */
const plainName = (name: string): string => otherNames[name] ?? name.split('-').at(-1) ?? name;

/** Two classes have this name; the other one is recorded. */
const ambiguous = new Set(['ClientPolicyRepresentation']);

/** The recorded class of a schema of the OpenAPI document. */
export const recordedClass = (name: string): RecordedClass | undefined =>
  ambiguous.has(name) ? undefined : representations[plainName(name)];

/** Fields of answers that the documents name, or that were recorded, and that the classes do not read. */
const documented: Record<string, string[]> = {
  // in answers of the protection API
  ResourceRepresentation: ['resource_scopes'],
  AuthenticationExecutionRepresentation: ['alternative', 'conditional', 'disabled', 'enabled', 'required'],
  ClientRepresentation: ['oauth2DeviceAuthorizationGrantEnabled'],
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a client with the fixed classes of the reference would not read in a value of this type. */
export function misfits(value: unknown, type: string, path = ''): string[] {
  const wrong = () => [`${path}: ${JSON.stringify(value)?.slice(0, 60)} is not ${type}`];
  if (type === 'any') return [];
  const item = /^(.*)\[\]$/.exec(type)?.[1];
  if (item !== undefined) {
    return Array.isArray(value) ? value.flatMap((one, at) => misfits(one, item, `${path}[${at}]`)) : wrong();
  }
  const entry = /^map<(.*)>$/.exec(type)?.[1];
  if (entry !== undefined) {
    if (!isObject(value)) return wrong();
    return Object.entries(value).flatMap(([key, one]) => misfits(one, entry, `${path}.${key}`));
  }
  if (type === 'string') return typeof value === 'string' ? [] : wrong();
  if (type === 'boolean') return typeof value === 'boolean' ? [] : wrong();
  if (type === 'integer') return Number.isInteger(value) ? [] : wrong();
  const known = recordedClass(type);
  // enumerations are recorded without fields
  if (!known || Object.keys(known.fields).length === 0)
    return typeof value === 'string' || isObject(value) ? [] : wrong();
  return isObject(value) ? misfitsOfClass(value, known, type, path) : wrong();
}

function misfitsOfClass(
  value: Record<string, unknown>,
  { fields, onlyInAnswers = [], onlyInRequests = [], takesAnyField }: RecordedClass,
  type: string,
  path: string,
): string[] {
  const further = [...onlyInAnswers, ...(documented[type] ?? [])];
  return Object.entries(value).flatMap(([name, one]) => {
    const at = `${path}.${name}`;
    const own = fields[name];
    // one audience is a text, RFC 7519 section 4.1.3
    if (name === 'aud' && typeof one === 'string') return [];
    if (own !== undefined && !onlyInRequests.includes(name)) return misfits(one, own, at);
    return takesAnyField || further.includes(name) ? [] : [`${at}: ${type} has no such field`];
  });
}

/** A schema of the OpenAPI document. */
export interface Schema {
  $ref?: string;
  type?: string;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
}

const refersTo = '#/components/schemas/';

/** What does not fit in an answer: where a recorded class is declared its fields count, otherwise those of the schema. */
export function misfitsOfAnswer(value: unknown, schema: Schema, schemas: Record<string, Schema>, path = ''): string[] {
  const name = schema.$ref?.slice(refersTo.length);
  if (name !== undefined) {
    if (name === 'JsonValue') return [];
    const known = recordedClass(name);
    if (known && Object.keys(known.fields).length > 0) return misfits(value, plainName(name), path);
    return misfitsOfAnswer(value, schemas[name] ?? {}, schemas, path);
  }
  if (schema.anyOf) {
    const each = schema.anyOf.map((one) => misfitsOfAnswer(value, one, schemas, path));
    return each.reduce((least, one) => (one.length < least.length ? one : least));
  }
  if (schema.type === 'array') {
    if (!Array.isArray(value)) return misfits(value, 'any[]', path);
    return value.flatMap((one, at) => misfitsOfAnswer(one, schema.items ?? {}, schemas, `${path}[${at}]`));
  }
  if (schema.type === 'object') return misfitsOfObject(value, schema, schemas, path);
  return schema.type === undefined ? [] : misfits(value, schema.type, path);
}

function misfitsOfObject(value: unknown, schema: Schema, schemas: Record<string, Schema>, path: string): string[] {
  if (!isObject(value)) return misfits(value, 'map<any>', path);
  return Object.entries(value).flatMap(([name, one]) => {
    const own = schema.properties?.[name] ?? schema.additionalProperties ?? true;
    if (own === false) return [`${path}.${name}: no such field is declared`];
    return own === true ? [] : misfitsOfAnswer(one, own, schemas, `${path}.${name}`);
  });
}
