import { ownMember } from '../../services/core/json.js';
import { openApiText } from '../openapi.js';

/** A schema of the OpenAPI document, as far as the document uses JSON Schema. */
export interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  deprecated?: boolean;
  format?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
}

type Content = Record<string, { schema: Schema }>;

/** An operation as the document has it. */
interface Described {
  summary: string;
  description: string;
  tags: [string];
  parameters?: { name: string; in: 'path' | 'query' }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; content?: Content }>;
  security?: Record<string, unknown>[];
}

/** A body with its media type. */
export interface Body {
  type: string;
  schema: Schema;
}

/** An operation of the REST contract. */
export interface Operation {
  /** in upper case */
  method: string;
  /** below `/auth` */
  path: string;
  /** address of its description */
  address: string;
  summary: string;
  description: string;
  parameters: { name: string; in: 'path' | 'query' }[];
  /** the ways in which the sender is known; an empty text stands for nobody in particular */
  security: string[];
  body?: Body & { isRequired: boolean };
  answers: { status: string; description: string; body?: Body | undefined }[];
}

/** The operations on objects of one kind. */
interface Area {
  name: string;
  title: string;
  operations: Operation[];
}

interface Contract {
  areas: Area[];
  schemas: Record<string, Schema>;
}

/** Kinds whose operations are described with those of another one. */
const joined: Record<string, string> = { event: 'events', eventsConfig: 'events', policyTyped: 'policy' };

let known: Contract | undefined;

/** The OpenAPI document by areas, in the order of their titles. It is read once. */
export function contract(): Contract {
  known ??= readContract();
  return known;
}

function readContract(): Contract {
  const { paths, components } = JSON.parse(openApiText()) as {
    paths: Record<string, Record<string, Described>>;
    components: { schemas: Record<string, Schema> };
  };
  const areas = new Map<string, Area>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, described] of Object.entries(methods)) {
      const tag = ownMember(joined, described.tags[0]) ?? described.tags[0];
      const words = tag.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      const area = areas.get(tag) ?? { name: words.replaceAll(' ', '-'), title: titleOf(words), operations: [] };
      areas.set(tag, area);
      area.operations.push(operationOf(method.toUpperCase(), path, area.name, described));
    }
  const sorted = [...areas.values()].sort((a, b) => (a.title < b.title ? -1 : 1));
  return { areas: sorted, schemas: components.schemas };
}

const titleOf = (words: string): string => (words.charAt(0).toUpperCase() + words.slice(1)).replace(/^Uma\b/, 'UMA');

function operationOf(method: string, path: string, area: string, described: Described): Operation {
  const { summary, description, parameters = [], requestBody, responses, security = [{ bearer: [] }] } = described;
  const place = `${method}${path}`
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/-$/, '')
    .toLowerCase();
  const body = bodyOf(requestBody?.content);
  return {
    method,
    path,
    address: `/reference/${area}#${place}`,
    summary,
    description,
    parameters,
    security: security.map((scheme) => Object.keys(scheme)[0] ?? ''),
    ...(body && { body: { ...body, isRequired: requestBody?.required ?? false } }),
    answers: Object.entries(responses).map(([status, answer]) => ({
      status,
      description: answer.description,
      body: bodyOf(answer.content),
    })),
  };
}

function bodyOf(content: Content | undefined): Body | undefined {
  const [entry] = Object.entries(content ?? {});
  return entry && { type: entry[0], schema: entry[1].schema };
}

/** The name of the schema that a reference names. */
export const referredBy = (reference: string): string => reference.slice('#/components/schemas/'.length);
