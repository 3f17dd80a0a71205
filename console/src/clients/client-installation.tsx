import { Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../parts/code-block.js';
import { useLoad } from '../session/graphql.js';
import { Failure } from '../shell/screen.js';
import { useText } from '../text/text.js';
import { type ClientInstallationFormat, ClientSnippet } from './documents.js';
import type { ClientPart } from './loaded-client.js';
import { texts } from './text.js';

const openIdConnect = ['KEYCLOAK_OIDC_KEYCLOAK_JSON', 'KEYCLOAK_OIDC_JBOSS_SUBSYSTEM_CLI'] as const;
const saml = ['SAML_SP_DESCRIPTOR', 'KEYCLOAK_SAML', 'KEYCLOAK_SAML_SUBSYSTEM_CLI'] as const;

/** The configuration of the application, to be copied. */
export function ClientInstallation({ node: client }: ClientPart) {
  const t = useText(texts);
  const formats: readonly ClientInstallationFormat[] = client.protocol === 'SAML' ? saml : openIdConnect;
  const [format, setFormat] = useState<ClientInstallationFormat>(formats[0] ?? 'KEYCLOAK_OIDC_KEYCLOAK_JSON');
  const loaded = useLoad(ClientSnippet, { id: client.id, format });
  const node = loaded.data?.node;
  const snippet = node && 'installation' in node ? node.installation : undefined;
  return (
    <Stack maw={900}>
      <Select
        label={t('format')}
        data={[...formats]}
        allowDeselect={false}
        value={format}
        onChange={(value) => setFormat(value as ClientInstallationFormat)}
      />
      <Failure loaded={loaded} />
      {snippet?.text && <CodeBlock label={snippet.filename} text={snippet.text} />}
    </Stack>
  );
}
