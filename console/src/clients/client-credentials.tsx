import { Alert, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ObjectLink } from '../parts/cells.js';
import { CodeBlock } from '../parts/code-block.js';
import { FormButton } from '../parts/form-dialog.js';
import { RowSection } from '../parts/row.js';
import { mutate } from '../session/mutate.js';
import { useFormat, useText } from '../text/text.js';

import type { ClientPart } from './loaded-client.js';
import { texts } from './text.js';

/** The secret of a client, which is shown only when it is made, and its service account. */
export function ClientCredentials({ node: client }: ClientPart) {
  const t = useText(texts);
  const { moment } = useFormat();
  const [secret, setSecret] = useState<string>();
  const { id, kind, previousSecretExpiresAt, serviceAccountUser, viewerCan } = client;
  return (
    <Stack maw={760}>
      {kind !== 'CONFIDENTIAL' && <Text>{t('noSecret')}</Text>}
      {kind === 'CONFIDENTIAL' && viewerCan.rotateSecret.isAllowed && (
        <FormButton
          button={{ variant: 'filled' }}
          title={t('rotate')}
          hint={t('rotateHint')}
          fields={[{ path: 'gracePeriod', label: texts.gracePeriod, kind: 'number' }]}
          submit={(input) => mutate('clientRotateSecret', { id, ...input }, { reads: ['secret'] })}
          onDone={(data) => setSecret(data?.clientRotateSecret.secret ?? undefined)}
        />
      )}
      {secret && (
        <Alert color="teal" title={t('newSecret')}>
          <CodeBlock label={t('newSecret')} text={secret} />
        </Alert>
      )}
      {previousSecretExpiresAt && <Text>{t('previousUntil', { moment: moment(previousSecretExpiresAt) })}</Text>}
      <RowSection title={t('serviceAccount')}>
        {serviceAccountUser ? (
          <ObjectLink to="/$realm/users/$id" id={serviceAccountUser.id} underline="always">
            {serviceAccountUser.username}
          </ObjectLink>
        ) : (
          <Text>{t('noServiceAccount')}</Text>
        )}
      </RowSection>
    </Stack>
  );
}
