import { Alert, Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CodeBlock } from '../parts/code-block.js';
import type { FormField } from '../parts/field-input.js';
import { FormDialog } from '../parts/form-dialog.js';
import { mutate } from '../session/graphql.js';
import { useFormat, useText } from '../text/text.js';
import { ClientRotate } from './documents.js';
import type { ClientPart } from './loaded-client.js';
import { texts } from './text.js';

const gracePeriod: FormField = {
  path: 'gracePeriod',
  label: ['Grace period in seconds', 'Übergangszeit in Sekunden'],
  kind: 'number',
};

/** The secret of a client, which is shown only when it is made, and its service account. */
export function ClientCredentials({ client, realm }: ClientPart) {
  const t = useText(texts);
  const { moment } = useFormat();
  const [isRotating, setRotating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const { kind, previousSecretExpiresAt, serviceAccountUser, viewerCan } = client;
  return (
    <Stack maw={760} align="flex-start">
      {kind !== 'CONFIDENTIAL' && <Text size="sm">{t('noSecret')}</Text>}
      {kind === 'CONFIDENTIAL' && viewerCan.rotateSecret.isAllowed && (
        <Button onClick={() => setRotating(true)}>{t('rotate')}</Button>
      )}
      {secret && (
        <Alert color="teal" title={t('newSecret')} w="100%">
          <CodeBlock label={t('newSecret')} text={secret} />
        </Alert>
      )}
      {previousSecretExpiresAt && (
        <Text size="sm">{t('previousUntil', { moment: moment(previousSecretExpiresAt) })}</Text>
      )}
      <Title order={2} size="h4">
        {t('serviceAccount')}
      </Title>
      {serviceAccountUser ? (
        <Anchor
          size="sm"
          underline="always"
          renderRoot={(props) => (
            <Link {...props} to="/$realm/users/$id" params={{ realm, id: serviceAccountUser.id }} />
          )}
        >
          {serviceAccountUser.username}
        </Anchor>
      ) : (
        <Text size="sm">{t('noServiceAccount')}</Text>
      )}
      {isRotating && (
        <FormDialog
          title={t('rotate')}
          fields={[gracePeriod]}
          submit={(input) => mutate(ClientRotate, { id: client.id, ...input })}
          onDone={(data) => setSecret(data?.clientRotateSecret.secret ?? undefined)}
          onClose={() => setRotating(false)}
        >
          <Text size="sm">{t('rotateHint')}</Text>
        </FormDialog>
      )}
    </Stack>
  );
}
