import { Alert, Text, Title } from '@mantine/core';
import { IconGitCommit, IconHistory } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Empty } from '../parts/empty.js';
import { type Column, List } from '../parts/list.js';
import { usePages } from '../session/pages.js';
import { Screen } from '../shell/screen.js';
import { useFormat, useText } from '../text/text.js';
import { type ApplyRowFragment, RealmCode } from './documents.js';
import { Download } from './download.js';
import { DropFiles } from './drop-files.js';
import { PlanOfFiles } from './file-plan.js';
import { type Desired, readFiles } from './files.js';
import { Revert } from './revert.js';
import { texts } from './text.js';

/** The realm as code: files, their plan, and the history of what was applied. */
export function Code() {
  const t = useText(texts);
  const { moment } = useFormat();
  const { realm } = useParams({ from: '/$realm' });
  const [desired, setDesired] = useState<Desired>();
  const [failure, setFailure] = useState<string>();
  const [chosen, setChosen] = useState<ApplyRowFragment>();
  const variables = useMemo(() => ({ realm }), [realm]);
  const pages = usePages(RealmCode, variables, ({ realm: found }) => found?.applies);
  const take = (files: File[]) =>
    readFiles(files, t).then(
      (read) => {
        setFailure(undefined);
        setDesired(read);
      },
      (error: Error) => setFailure(error.message),
    );
  const columns: Column<ApplyRowFragment, never>[] = [
    { key: 'number', title: t('number'), width: 100, render: ({ number }) => number },
    { key: 'time', title: t('time'), width: 190, render: ({ appliedAt }) => moment(appliedAt) },
    {
      key: 'changes',
      title: t('changes'),
      width: 130,
      render: ({ created, updated, deleted }) => t('counts', { created, updated, deleted }),
    },
    {
      key: 'source',
      title: t('source'),
      width: 260,
      render: ({ reverts, source }) => (reverts === null ? source : t('revertOf', { number: reverts })),
    },
    { key: 'revision', title: t('revision'), render: ({ revision }) => revision },
  ];
  return (
    <Screen title={t('title')} loaded={pages} actions={pages.data?.realm && <Download realm={realm} />}>
      {({ realm: found }) =>
        found && (
          <>
            {found.managed && (
              <Alert
                icon={<IconGitCommit />}
                title={t('follows', { source: found.managed.source })}
                style={{ overflowWrap: 'anywhere' }}
              >
                {t('followsSince', {
                  time: moment(found.managed.appliedAt),
                  revision: found.managed.revision ?? t('none'),
                })}
              </Alert>
            )}
            {failure && (
              <Alert color="red" title={t('unreadable')} role="alert">
                <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                  {failure}
                </Text>
              </Alert>
            )}
            {desired ? (
              <PlanOfFiles
                realm={realm}
                realmId={found.id}
                desired={desired}
                mayApply={found.viewerCan?.update.isAllowed ?? false}
                onDone={() => setDesired(undefined)}
              />
            ) : (
              <DropFiles onFiles={take} />
            )}
            <Title order={2} size="h4">
              {t('history')}
            </Title>
            <List<ApplyRowFragment, never>
              label={t('history')}
              pages={pages}
              total={found.applies?.totalCount}
              columns={columns}
              nameOf={({ number }) => String(number)}
              onOpen={setChosen}
              empty={
                <Empty icon={IconHistory} title={t('noHistory')}>
                  {t('noHistoryHint')}
                </Empty>
              }
            />
            {chosen && <Revert apply={chosen} onClose={() => setChosen(undefined)} />}
          </>
        )
      }
    </Screen>
  );
}
