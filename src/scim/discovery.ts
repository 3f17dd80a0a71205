import type { Answer } from '../http/answer.js';
import { perform } from '../services/core/perform.js';
import { forbidden, notFound } from '../services/core/refusal.js';
import type { Target } from '../services/core/target.js';
import { name as realmName } from '../services/realms/operations.js';
import { definitionOf } from './attribute.js';
import { mostBulkOperations } from './bulk-limits.js';
import { mostResults, standardResults } from './list.js';
import { baseOf, message, realmOf, type ScimRequest } from './request.js';
import { type ResourceType, resourceTypes, type Schema, schemas } from './schemas.js';

const coreUrn = 'urn:ietf:params:scim:schemas:core:2.0';

/** Lets callers pass who administer something of the realm. */
const requireAdministrator = ({ ctx, ...request }: ScimRequest): Promise<unknown> =>
  perform(ctx, realmName, async (at): Promise<Target> => ({ realm: await realmOf({ ctx, ...request }, at) }));

/** Answers the features of the service, RFC 7643 section 5. */
export async function serviceProviderConfig(request: ScimRequest): Promise<Answer> {
  await requireAdministrator(request);
  return message({
    schemas: [`${coreUrn}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: {
      supported: true,
      maxOperations: mostBulkOperations,
      maxPayloadSize: request.ctx.services.config.bodyLimit,
    },
    filter: { supported: true, maxResults: mostResults },
    changePassword: { supported: true },
    sort: { supported: true },
    etag: { supported: true },
    pagination: {
      cursor: true,
      index: true,
      defaultPaginationMethod: 'index',
      defaultPageSize: standardResults,
      maxPageSize: mostResults,
    },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'OAuth bearer token',
        description: 'An access token of the realm, or of the realm master, with administration roles.',
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${baseOf(request)}/ServiceProviderConfig` },
  });
}

const shownType = (base: string, { name, endpoint, description, schema, extensions }: ResourceType): object => ({
  schemas: [`${coreUrn}:ResourceType`],
  id: name,
  name,
  endpoint,
  description,
  schema: schema.urn,
  ...(extensions.length > 0 && { schemaExtensions: extensions.map(({ urn }) => ({ schema: urn, required: false })) }),
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
});

const shownSchema = (base: string, { urn, name, description, attributes }: Schema): object => ({
  schemas: [`${coreUrn}:Schema`],
  id: urn,
  name,
  description,
  attributes: attributes.map(definitionOf),
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${urn}` },
});

/** All of a few things, or the one with the ID in the path. */
async function answerOf<T>(
  request: ScimRequest,
  all: readonly T[],
  idOf: (one: T) => string,
  show: (base: string, one: T) => object,
): Promise<Answer> {
  await requireAdministrator(request);
  // RFC 7644 section 4
  if (request.query.filter !== undefined) throw forbidden('Definitions cannot be filtered');
  const base = baseOf(request);
  if (request.id !== '') {
    const one = all.find((each) => idOf(each).toLowerCase() === request.id.toLowerCase());
    if (!one) throw notFound(`There is no ${request.id}`);
    return message(show(base, one));
  }
  return message({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: all.length,
    startIndex: 1,
    itemsPerPage: all.length,
    Resources: all.map((one) => show(base, one)),
  });
}

export const resourceTypesAnswer = (request: ScimRequest): Promise<Answer> =>
  answerOf(request, resourceTypes, ({ name }) => name, shownType);

export const schemasAnswer = (request: ScimRequest): Promise<Answer> =>
  answerOf(request, schemas, ({ urn }) => urn, shownSchema);
