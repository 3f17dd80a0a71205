import { escapeHtml } from '../../http/pages/layout.js';
import { ownMember } from '../../services/core/json.js';
import { referredBy, type Schema, type Schemas } from './contract.js';

/** A text of the OpenAPI document as HTML: its code is between backticks. */
export const prose = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const code = (value: unknown): string => `<code>${escapeHtml(JSON.stringify(value))}</code>`;

/** The type of a value as HTML, with links to the schemas that have a name. */
export function typeOf(schema: Schema): string {
  const { $ref, anyOf, enum: values, items, additionalProperties: members, properties, type } = schema;
  if ($ref) {
    const name = escapeHtml(referredBy($ref));
    return `<a href="/reference/schemas/${name}">${name}</a>`;
  }
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ');
  if (values) return values.map(code).join(' or ');
  if (schema.const !== undefined) return code(schema.const);
  if (items) return `list of ${typeOf(items)}`;
  if (properties) return `object with ${Object.entries(properties).map(memberOf).join(', ')}`;
  if (typeof members === 'object' && Object.keys(members).length > 0) return `map of ${typeOf(members)}`;
  return type ?? 'any value';
}

const memberOf = ([name, schema]: [string, Schema]): string => `${code(name)} (${typeOf(schema)})`;

/** What else is known of a field, as HTML. */
function notesOf(schema: Schema, isRequired: boolean): string {
  const { minimum, maximum, minLength, maxLength, maxItems } = schema;
  return [
    isRequired && 'Required.',
    schema.deprecated && 'Deprecated.',
    schema.description && prose(schema.description),
    schema.default !== undefined && `Default ${code(schema.default)}.`,
    // whole numbers without limits have those of JSON
    minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER && `At least ${minimum}.`,
    maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && `At most ${maximum}.`,
    minLength && `At least ${minLength} characters.`,
    maxLength && `At most ${maxLength} characters.`,
    maxItems && `At most ${maxItems} items.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** How deep objects are shown within each other in examples. */
const deepest = 2;

/** An example of a value. Fields that are deprecated are left out, as is what lies deep within others. */
export function exampleOf(schema: Schema, schemas: Schemas, depth = 0): unknown {
  const { $ref, anyOf, enum: values, items, properties, additionalProperties: members, type } = schema;
  if ($ref) return exampleOf(schemas[referredBy($ref)] ?? {}, schemas, depth);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (values) return values[0];
  if (anyOf) return exampleOf(anyOf[0] ?? {}, schemas, depth);
  if (items) return depth > deepest ? [] : [exampleOf(items, schemas, depth + 1)];
  if (properties) {
    if (depth > deepest) return {};
    const shown = Object.entries(properties).filter(([, { deprecated }]) => !deprecated);
    return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field, schemas, depth + 1)]));
  }
  if (typeof members === 'object' && Object.keys(members).length > 0)
    return depth > deepest ? {} : { key: exampleOf(members, schemas, depth + 1) };
  return ownMember(simple, type ?? '') ?? {};
}

const simple: Record<string, unknown> = { string: 'text', integer: 1, number: 1, boolean: true };

/** The fields of an object as a table, or the type of another value. */
export function fieldsOf(schema: Schema): string {
  const { properties, required = [] } = schema;
  if (!properties) return `<p>${typeOf(schema)}</p>`;
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${typeOf(field)}</td><td>${notesOf(field, required.includes(name))}</td></tr>`,
  );
  return table(['Field', 'Type', 'Notes'], rows);
}

/** A table with rows as HTML. */
export const table = (headings: readonly string[], rows: readonly string[]): string =>
  `<table class="fields" tabindex="0">
<thead><tr>${headings.map((heading) => `<th scope="col">${heading}</th>`).join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
