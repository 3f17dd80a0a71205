import { z } from 'zod';
import { type Input, list, listmap, multimap, record, representation, text } from '../core/shape.js';

/** ComponentRepresentation of the contract. */
export const ComponentRepresentation = representation('ComponentRepresentation', {
  id: text,
  name: text,
  providerId: text,
  providerType: text,
  parentId: text,
  subType: text,
  config: listmap,
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
