import { z } from 'zod';
import { type Input, idText, list, listmap, multimap, record, representation, shortText, text } from '../core/shape.js';

/** Settings of a component. Values of null and empty ones are no values. */
const settings = z.preprocess((value) => withValues(value), listmap);

function withValues(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const filled = (items: unknown): unknown =>
    Array.isArray(items) ? items.filter((item) => item !== null && item !== '') : items;
  return Object.fromEntries(Object.entries(value).map(([key, items]) => [key, filled(items)]));
}

/** ComponentRepresentation of the contract. */
export const ComponentRepresentation = representation('ComponentRepresentation', {
  id: idText,
  name: shortText,
  providerId: shortText,
  providerType: shortText,
  parentId: text,
  subType: shortText,
  config: settings,
});
export type ComponentInput = Input<typeof ComponentRepresentation>;

const exported = { id: text, name: text, providerId: text, subType: text, config: multimap };
const flat = representation('ComponentExportRepresentation', exported);

export interface ComponentExportInput extends Input<typeof flat> {
  subComponents?: Record<string, ComponentExportInput[]> | undefined;
}

/** ComponentExportRepresentation of the contract: a component of an exported realm, with those below it by provider type. */
export const ComponentExportRepresentation: z.ZodType<ComponentExportInput> = representation(
  'ComponentExportRepresentation',
  {
    ...exported,
    subComponents: record(list(z.lazy(() => ComponentExportRepresentation))),
  },
);
