import type { Config } from '../config/config.js';
import type { Answer } from '../http/answer.js';

/** The page at `/`: where things are. */
export function welcomePage({ graphiql }: Config): Answer {
  const links = [
    ...(graphiql ? [['/graphql', 'GraphiQL', 'explore and use the GraphQL API']] : []),
    ['/auth/openapi.json', 'OpenAPI', 'the REST contract as a document'],
    ['/health/ready', 'Health', 'whether requests can be served'],
    ['/metrics', 'Metrics', 'for Prometheus'],
  ];
  const items = links.map(([href, name, text]) => `<li><a href="${href}">${name}</a>: ${text}</li>`).join('\n');
  const body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Realmgate</title><meta name="viewport" content="width=device-width"></head>
<body style="font: 16px/1.5 system-ui; max-width: 40rem; margin: 3rem auto; padding: 0 1rem">
<h1>Realmgate</h1>
<p>Identity and access administration.</p>
<ul>
${items}
</ul>
</body>
</html>
`;
  return { status: 200, body, type: 'text/html;charset=UTF-8', public: true };
}
