import { Alert, Button, EmptyState, FileButton, Paper, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Empty, useActorName } from '../parts/display.js';
import { DownloadMenu } from '../parts/download-menu.js';
import { saveFile } from '../parts/file-content.js';
import { IconFileCode, IconGitCommit, IconHistory } from '../parts/icons.js';
import { type Column, List } from '../parts/list.js';
import { RowSection } from '../parts/rows.js';
import { read } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { useMay } from '../shell/areas.js';
import { useNotify } from '../shell/notify.js';
import { Screen } from '../shell/screen.js';
import { useFormat, useText } from '../text/text.js';
import { type ApplyRowFragment, RealmCode, RealmFile } from './documents.js';
import { type Desired, fileText, readFiles } from './files.js';
import { PlanOfFiles, Revert } from './plan.js';
import { texts } from './texts.js';

/** The realm as code: files, their plan, and the history of what was applied. */
export function Code() {
  const t = useText(texts);
  const { moment } = useFormat();
  const actorName = useActorName();
  const { realm } = useParams({ from: '/$realm' });
  const [desired, setDesired] = useState<Desired>();
  const [failure, setFailure] = useState<string>();
  const [chosen, setChosen] = useState<ApplyRowFragment>();
  const viewsEvents = useMay(realm)('VIEW_EVENTS');
  const pages = usePages(RealmCode, { realm, viewsEvents }, ({ realm: found }) => found?.applies);
  const take = (files: File[]) =>
    readFiles(files, t).then(
      (read) => {
        setFailure(undefined);
        setDesired(read);
      },
      (error: Error) => setFailure(error.message),
    );
  const columns: Column<ApplyRowFragment>[] = [
    { key: 'number', title: texts.number, width: 100 },
    { key: 'appliedAt', title: texts.time, width: 190, isTime: true },
    { key: 'author', title: texts.author, width: 150, render: ({ appliedBy }) => actorName(appliedBy) },
    { key: 'changes', title: texts.changes, width: 130, render: (counts) => t('counts', { ...counts }) },
    {
      key: 'source',
      title: texts.source,
      width: 220,
      render: ({ reverts, source }) => (reverts === null ? source : t('revertOf', { number: reverts })),
    },
    { key: 'revision', title: texts.revision },
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
                  name: actorName(found.managed.appliedBy),
                  revision: found.managed.revision ?? t('none'),
                })}
              </Alert>
            )}
            {failure && (
              <Alert color="red" title={t('unreadable')} role="alert">
                <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{failure}</Text>
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
            {viewsEvents && (
              <RowSection title={t('history')}>
                <List
                  label={t('history')}
                  pages={pages}
                  columns={columns}
                  nameOf={({ number }) => String(number)}
                  onOpen={setChosen}
                  empty={<Empty icon={IconHistory} title={t('noHistory')} hint={t('noHistoryHint')} />}
                />
              </RowSection>
            )}
            {chosen && <Revert apply={chosen} onClose={() => setChosen(undefined)} />}
          </>
        )
      }
    </Screen>
  );
}

/** A place for files that are dropped or chosen. */
function DropFiles({ onFiles }: { onFiles(files: File[]): void }) {
  const t = useText(texts);
  const [isOver, setOver] = useState(false);
  const given = (files: File[]) => files.length > 0 && onFiles(files);
  return (
    <Paper
      withBorder
      p="lg"
      bg={isOver ? 'var(--mantine-color-default-hover)' : undefined}
      style={{ borderStyle: 'dashed' }}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        given([...event.dataTransfer.files]);
      }}
    >
      <EmptyState icon={<IconFileCode aria-hidden />} title={t('drop')} description={t('dropHint')} maw={560} mx="auto">
        <FileButton multiple accept=".json,.yaml,.yml" onChange={given} inputProps={{ 'aria-label': t('choose') }}>
          {(props) => <Button {...props}>{t('choose')}</Button>}
        </FileButton>
      </EmptyState>
    </Paper>
  );
}

const files = [
  { name: 'json', format: 'json', users: false },
  { name: 'yaml', format: 'yaml', users: false },
  { name: 'jsonUsers', format: 'json', users: true },
  { name: 'yamlUsers', format: 'yaml', users: true },
] as const;

/** Saves the realm as a file. Secrets are masked. */
function Download({ realm }: { realm: string }) {
  const t = useText(texts);
  const notify = useNotify();
  const save = async ({ format, users }: (typeof files)[number]) => {
    const { data, errors } = await read(RealmFile, { realm, users });
    if (errors.length > 0) return notify.failed(errors);
    saveFile(`${realm}.${format}`, await fileText(data?.realm?.export, format));
  };
  return <DownloadMenu label={t('download')} files={files.map((file) => [t(file.name), () => save(file)] as const)} />;
}
