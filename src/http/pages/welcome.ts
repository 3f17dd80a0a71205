import type { Config } from '../../config/config.js';
import { ownVersion } from '../../services/server-info/own-version.js';
import type { Answer } from '../answer.js';
import { escapeHtml, htmlPage } from './layout.js';

/** The page at `/`: what runs here, and the addresses of its parts. */
export async function welcomePage(config: Config): Promise<Answer> {
  const { console, graphiql, graphqlIntrospection, metricsPort, trustedDocumentsOnly } = config;
  const links = [
    ...(console && !trustedDocumentsOnly
      ? [['/console/', 'Console', 'Administer realms: users, groups, roles, clients, and settings.']]
      : []),
    ...(graphiql && !trustedDocumentsOnly
      ? [['/graphql', 'GraphiQL', 'Explore the GraphQL API, with examples to run.']]
      : []),
    ['/reference', 'REST reference', 'Every operation of the Admin REST contract.'],
    ['/docs/', 'Documentation', 'Guides for use, operation, and development of this version.'],
    ['/health/ready', 'Health', 'Whether requests can be served.'],
    ...(metricsPort === undefined ? [['/metrics', 'Metrics', 'Counters for Prometheus.']] : []),
    ['/auth/openapi.json', 'OpenAPI document', 'The REST contract for generators of clients.'],
    ...(graphqlIntrospection === 'everybody'
      ? [['/schema/schema.graphql', 'GraphQL schema', 'The schema with a description of every field.']]
      : []),
  ];
  const cards = links
    .map(([href, name, text]) => `<li><a href="${href}"><strong>${name}</strong><span>${text}</span></a></li>`)
    .join('\n');
  return htmlPage(
    'Realmgate',
    `<h1>Realmgate ${escapeHtml(await ownVersion())}</h1>
<p class="lead">Identity and access administration: a GraphQL API, and the Keycloak Admin REST contract, on one core.</p>
<ul class="cards">
${cards}
</ul>`,
  );
}
