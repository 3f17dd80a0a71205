import { Alert, Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { Moment } from '../parts/display.js';
import { IconServer } from '../parts/icons.js';
import { Revocation } from '../parts/revocation.js';
import { ObjectList, RowSection } from '../parts/rows.js';
import { mutate, nodeOf, useLoad } from '../session/graphql.js';
import { wholeList } from '../session/pages.js';
import { Failure } from '../shell/screen.js';
import { useText } from '../text/text.js';
import type { ClientPart } from './client-tabs.js';
import { ClientNodesTest } from './documents.js';
import { texts } from './text.js';

/** What one does while a client is in use: its tokens are revoked, and the nodes of its cluster are registered. */
export function ClientOperation({ node: client, reload }: ClientPart) {
  const t = useText(texts);
  const { id, notBefore, viewerCan, nodes } = client;
  const isAllowed = viewerCan.update.isAllowed;
  return (
    <Stack maw={760}>
      <RowSection title={t('revocation')}>
        <Revocation
          notBefore={notBefore}
          isAllowed={isAllowed}
          canPush={viewerCan.pushRevocation.isAllowed}
          set={(notBefore, options) => mutate('clientUpdate', { id, notBefore }, options)}
          push={() => mutate('clientPushRevocation', { id }, { reads: ['successRequests', 'failedRequests'] })}
          onDone={reload}
        />
      </RowSection>
      <RowSection title={t('nodes')}>
        <ObjectList
          pages={wholeList(
            nodes.map(({ host, registeredAt }) => ({ id: host, name: host, registeredAt })),
            reload,
          )}
          isAllowed={isAllowed}
          icon={IconServer}
          empty={{ title: t('noNodes'), hint: t('noNodesHint') }}
          describe={({ registeredAt }) => ({ hint: <Moment time={registeredAt} /> })}
          add={{ title: t('addNode'), fields: [{ path: 'host', label: texts.host, isRequired: true }] }}
          create={({ host }) => mutate('clientAddNode', { id, host: String(host) })}
          remove={({ name: host }, options) => mutate('clientRemoveNode', { id, host }, options)}
        />
        {isAllowed && nodes.length > 0 && <NodesTest id={id} />}
      </RowSection>
    </Stack>
  );
}

/** Tells which nodes of a client answer. */
function NodesTest({ id }: { id: string }) {
  const t = useText(texts);
  const [wasAsked, setAsked] = useState(false);
  const loaded = useLoad(ClientNodesTest, { id }, { isPaused: !wasAsked });
  const tested = nodeOf(loaded.data?.node)?.nodesAvailability;
  const test = () => (wasAsked ? loaded.reload() : setAsked(true));
  return (
    <>
      <Button w="fit-content" loading={loaded.isLoading} onClick={test}>
        {t('testNodes')}
      </Button>
      <Failure loaded={loaded} />
      {tested && (
        <Alert color={tested.failed.length > 0 ? 'red' : 'teal'} role="status">
          {tested.reached.length + tested.failed.length === 0 && t('nodesUntested')}
          {tested.reached.length > 0 && t('nodesReached', { hosts: tested.reached.join(', ') })}{' '}
          {tested.failed.length > 0 && t('nodesFailed', { hosts: tested.failed.join(', ') })}
        </Alert>
      )}
    </>
  );
}
