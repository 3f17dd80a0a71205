import type { Answer } from '../answer.js';
import { contentPolicy } from '../content-policy.js';
import { htmlPage } from './layout.js';

/** Files of the viewer that the page loads. `tools/prepare.mjs` copies them from the package swagger-ui-dist. */
export const viewerFiles = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** Policy of the page: the viewer and this server only. The viewer sets styles and has pictures in its style sheet. */
const policy = contentPolicy({
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'font-src': "'self' data:",
  'connect-src': "'self'",
});

/** Script of the page, which has an address of its own, so that the policy allows no script within a page. */
export const viewerScript = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
SwaggerUIBundle({
  url: '/auth/openapi.json',
  dom_id: '#viewer',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  filter: true,
  persistAuthorization: false,
  syntaxHighlight: false,
  validatorUrl: null,
});
`;

/** The page at /reference: the OpenAPI document in Swagger UI. */
export function referencePage(): Answer {
  const page = htmlPage(
    'REST reference',
    `<link rel="stylesheet" href="/assets/reference/swagger-ui.css">
<style>
.swagger-ui .wrapper { padding: 0 }
.swagger-ui .info { margin: 1rem 0 }
.swagger-ui .opblock .opblock-summary-path { max-width: none }
.swagger-ui .scheme-container { box-shadow: none }
.swagger-ui .opblock-tag { padding-inline: 0; font-size: 1.125rem }
.swagger-ui .opblock-tag-section, .swagger-ui .opblock { min-width: 0 }
html body .swagger-ui, html body .swagger-ui .scheme-container { background: none }
.swagger-ui .info .title small pre { padding: 0; border: 0; background: none }
#viewer { overflow-x: auto }
</style>
<div id="viewer">The reference requires JavaScript. <a href="/auth/openapi.json">The document</a> does not.</div>
<script src="/assets/reference/swagger-ui-bundle.js"></script>
<script src="/assets/reference/viewer.js"></script>`,
  );
  return { ...page, headers: { 'content-security-policy': policy } };
}
