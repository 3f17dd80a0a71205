import { Alert, Anchor, Breadcrumbs, Tabs } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Loaded, Outcome, Part, Shown } from '../session/graphql.js';
import type { Area } from '../shell/areas.js';
import { Screen } from '../shell/screen.js';
import type { Text } from '../text/text.js';
import { useText, useTranslated } from '../text/text.js';
import { texts as words } from '../words/texts.js';
import { useChange } from './address.js';
import { type Act, ReviewButton } from './dialogs.js';
import { NotFound } from './display.js';
import type { Section } from './fields.js';
import { IconFileCode, IconTrash } from './icons.js';
import { type Identified, Identity } from './identity.js';
import { SettingsForm, type SettingsFormProps, type Stored } from './settings-form.js';
import { texts } from './texts.js';
import { TypedFor } from './unsaved.js';

interface ObjectScreenProps<Node extends object> {
  /** the name of the object, or its kind while it is not loaded */
  title: string;
  loaded: Loaded<unknown>;
  object: Node | null | undefined;
  /** the area to whose list the object belongs, and what contains the object in that list */
  area?: Area;
  ancestors?: ReactNode;
  /** buttons beside the title */
  actions?: ReactNode;
  remove?: { isAllowed: boolean | undefined; hint?: string; act: Act } | undefined;
  children(object: Node): ReactNode;
}

/** The screen of one object, which can be deleted after a preview. The list above it is opened then. */
export function ObjectScreen<Node extends object>(props: ObjectScreenProps<Node>) {
  const { title, loaded, object, area, ancestors, actions, remove, children } = props;
  const t = useText(texts);
  const translate = useTranslated();
  const navigate = useNavigate();
  const removal = remove?.isAllowed && (
    <ReviewButton
      title={t('deleteNamed', { name: title })}
      button={{ label: t('delete'), 'aria-label': t('delete'), leftSection: <IconTrash size={16} aria-hidden /> }}
      hint={remove.hint}
      act={remove.act}
      done={t('deleted', { name: title })}
      isDangerous
      onDone={() => navigate({ to: '..' })}
    />
  );
  return (
    <Screen
      title={title}
      loaded={loaded}
      path={
        area && (
          <Breadcrumbs component="nav" aria-label={t('path')}>
            <Anchor fz="sm" renderRoot={(props) => <Link to=".." {...props} />}>
              {translate(area.title)}
            </Anchor>
            {ancestors}
          </Breadcrumbs>
        )
      }
      actions={
        <>
          {actions}
          {removal}
        </>
      }
    >
      {() => (object ? children(object) : <NotFound />)}
    </Screen>
  );
}

interface Detailed extends Stored, Identified {
  isManaged: boolean;
  viewerCan: Stored['viewerCan'] & { delete: { isAllowed: boolean } };
}

interface DetailScreenProps<Node extends Detailed> {
  shown: Shown<Node>;
  area: Area;
  /** what the object is called while it is not loaded */
  kind: Text;
  /** links to what contains the object */
  ancestors?(node: Node): ReactNode;
  nameOf(node: Node): string;
  actions?(part: Part<Node>): ReactNode;
  /** what is asked before the object is deleted, and what deletes it */
  removeHint?: Text;
  remove(node: Node, options: { isDryRun: boolean }): Promise<Outcome<object>>;
  /** what is above the form, and below it if it has no tabs beside it */
  above?(part: Part<Node>): ReactNode;
  below?(part: Part<Node>): ReactNode;
  /** the form, which is the first tab, and its title */
  form: Pick<SettingsFormProps<Node>, 'isPreviewed' | 'save' | 'help'> & {
    title?: Text;
    /** which may depend on the object */
    sections: readonly Section[] | ((node: Node) => readonly Section[]);
  };
  /** the other tabs, if there are any */
  tabs?(part: Part<Node>): readonly (Tab | false | null | undefined)[];
}

/** The screen of one object: a form with its fields, and further tabs. */
export function DetailScreen<Node extends Detailed>(props: DetailScreenProps<Node>) {
  const { shown, area, ancestors, kind, nameOf, actions, removeHint, remove, above, below, form, tabs } = props;
  const { loaded, node, reload } = shown;
  const { title = words.settings, sections, ...saving } = form;
  const translate = useTranslated();
  const formOf = (stored: Node) => {
    const shown = typeof sections === 'function' ? sections(stored) : sections;
    return <SettingsForm {...saving} nameOf={nameOf} sections={shown} stored={stored} reload={reload} />;
  };
  return (
    <ObjectScreen
      title={node ? nameOf(node) : translate(kind)}
      loaded={loaded}
      object={node}
      area={area}
      ancestors={node && ancestors?.(node)}
      actions={node && actions?.({ node, reload })}
      remove={
        node && {
          isAllowed: node.viewerCan.delete.isAllowed,
          ...(removeHint && { hint: translate(removeHint) }),
          act: (options) => remove(node, options),
        }
      }
    >
      {(node) => (
        <>
          <Identity {...node} />
          {node.isManaged && <ManagedNotice />}
          {above?.({ node, reload })}
          {tabs ? (
            <TabSet key={node.id} tabs={[['settings', title, formOf(node)], ...tabs({ node, reload })]} />
          ) : (
            formOf(node)
          )}
          {below?.({ node, reload })}
        </>
      )}
    </ObjectScreen>
  );
}

/** Says that a file describes the object, and leads to it. */
function ManagedNotice() {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  return (
    <Alert color="indigo" icon={<IconFileCode />}>
      {t('managed')}{' '}
      <Anchor fz="sm" renderRoot={(props) => <Link to="/$realm/code" params={{ realm }} {...props} />}>
        {t('managedFile')}
      </Anchor>
    </Alert>
  );
}

/** A tab: its name in the address, its title, and what it shows. The first one keeps its state, such as what was typed. */
export type Tab = readonly [name: string, title: Text, content: ReactNode];

/** The list of tabs, in one line that scrolls where the window is narrow. The open one is in sight. */
export function TabList({ label, open, children }: { label?: string; open: string | undefined; children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (tab) list.current?.scrollTo({ left: tab.offsetLeft - list.current.offsetLeft - 48 });
  }, [open]);
  return (
    <Tabs.List ref={list} className="tabs" aria-label={label}>
      {children}
    </Tabs.List>
  );
}

/** Tabs of a screen. The open one is in the address. One that is not there is left out. */
export function TabSet({ tabs }: { tabs: readonly (Tab | false | null | undefined)[] }) {
  const { tab } = useSearch({ strict: false });
  const change = useChange<{ tab: string | null }>();
  const translate = useTranslated();
  const shown = tabs.filter((entry): entry is Tab => Boolean(entry));
  const [first] = shown;
  const open = shown.find(([name]) => name === tab) ?? first;
  return (
    <Tabs keepMounted={false} value={open?.[0] ?? null} onChange={(name) => change({ tab: name })}>
      <TabList open={open?.[0]}>
        {shown.map(([name, title]) => (
          <Tabs.Tab key={name} value={name}>
            {translate(title)}
          </Tabs.Tab>
        ))}
      </TabList>
      {shown.map(([name, , content]) => (
        <Tabs.Panel key={name} value={name} pt="md" keepMounted={name === first?.[0]}>
          <TypedFor value={name === first?.[0] ? 'screen' : 'tab'}>{content}</TypedFor>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
