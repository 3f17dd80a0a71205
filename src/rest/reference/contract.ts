import type { Config } from '../../config/config.js';
import { ownMember } from '../../services/core/json.js';
import { describedPath, openApiText } from '../openapi.js';
import { adminMount, documentedMount } from '../router.js';
import { routes } from '../routes.js';

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
  /** where it answers, below `/auth` */
  path: string;
  /** address of its description */
  address: string;
  summary: string;
  description: string;
  parameters: { name: string; in: 'path' | 'query' }[];
  /** whether the sender is known by a token */
  hasToken: boolean;
  body?: Body & { isRequired: boolean };
  answers: { status: string; description: string; body?: Body | undefined }[];
  /** what a search looks into, in lower case */
  searched: string;
}

/** The operations on objects of one kind. */
interface Area {
  name: string;
  title: string;
  operations: Operation[];
}

/** The schemas of the document by their names. */
export type Schemas = Readonly<Record<string, Schema>>;

export interface Contract {
  areas: Area[];
  schemas: Schemas;
}

/** Kinds whose operations are described with those of another one. */
const joined: Record<string, string> = { event: 'events', eventsConfig: 'events', policyTyped: 'policy' };

type RestMount = Config['restMount'];

const known = new Map<RestMount, Promise<Contract>>();

/** The OpenAPI document by areas, in the order of their titles, without the operations that are turned off. It is read once. */
export function contract(restMount: RestMount): Promise<Contract> {
  const read = known.get(restMount) ?? readContract(restMount);
  known.set(restMount, read);
  return read;
}

async function readContract(restMount: RestMount): Promise<Contract> {
  const { paths, components } = JSON.parse(await openApiText()) as {
    paths: Record<string, Record<string, Described>>;
    components: { schemas: Schemas };
  };
  const pathOn = pathsOn(restMount);
  const areas = new Map<string, Area>();
  for (const [documented, methods] of Object.entries(paths))
    for (const [method, described] of Object.entries(methods)) {
      const path = pathOn(method.toUpperCase(), documented);
      if (path === undefined) continue;
      const tag = ownMember(joined, described.tags[0]) ?? described.tags[0];
      const words = tag.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      const area = areas.get(tag) ?? { name: words.replaceAll(' ', '-'), title: titleOf(words), operations: [] };
      areas.set(tag, area);
      area.operations.push(operationOf(method.toUpperCase(), path, area.name, described));
    }
  const sorted = [...areas.values()].sort((a, b) => (a.title < b.title ? -1 : 1));
  return { areas: sorted, schemas: components.schemas };
}

/** Tells where operations answer, below `/auth`, by their method and path in the document; undefined where that is turned off. */
function pathsOn(restMount: RestMount): (method: string, path: string) => string | undefined {
  const mounts = [
    ...(restMount === 'admin' ? [] : [documentedMount]),
    ...(restMount === 'documented' ? [] : [adminMount]),
  ];
  const table = new Map(routes.map((route) => [`${route.method} ${describedPath(route)}`, route]));
  return (method, path) => {
    const route = table.get(`${method} ${path}`);
    // what clients of OpenID call has one address
    if (!route) return path;
    const [address] = mounts.flatMap((mount) => mount.address(route) ?? []);
    return address?.slice('/auth'.length).replace('*}', '}');
  };
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
    hasToken: security.every((scheme) => Object.keys(scheme).length > 0),
    searched: [method, path, summary, description].join(' ').toLowerCase(),
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
