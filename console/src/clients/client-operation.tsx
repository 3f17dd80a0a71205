import { Alert, Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { Moment } from '../parts/display.js';
import { IconServer } from '../parts/icons.js';
import { Revocation } from '../parts/revocation.js';
import { ObjectList, RowSection } from '../parts/rows.js';
import { mutate, nodeOf, type Outcome, read } from '../session/graphql.js';
import { wholeList } from '../session/pages.js';
import { useText } from '../text/text.js';
import type { ClientPart } from './client-tabs.js';
import { ClientNodesTest, type ClientNodesTestQuery } from './documents.js';
import { texts } from './texts.js';

/** Revokes the tokens of a client, and registers the nodes of its cluster. */
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
  const [isAsking, setAsking] = useState(false);
  const [outcome, setOutcome] = useState<Outcome<ClientNodesTestQuery>>();
  const tested = nodeOf(outcome?.data?.node)?.nodesAvailability;
  const test = async () => {
    setAsking(true);
    setOutcome(await read(ClientNodesTest, { id }));
    setAsking(false);
  };
  return (
    <>
      <Button w="fit-content" loading={isAsking} onClick={test}>
        {t('testNodes')}
      </Button>
      {outcome?.errors.map(({ message }) => (
        <Alert key={message} color="red" role="alert">
          {message}
        </Alert>
      ))}
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
