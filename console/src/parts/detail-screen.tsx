import { Alert, Anchor } from '@mantine/core';
import { IconFileCode } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Outcome } from '../session/graphql.js';
import type { Part, Shown } from '../session/node.js';
import { useText, useTranslated } from '../text/text.js';
import { type Text, words } from '../text/words.js';
import type { Section } from './fields.js';
import { ObjectScreen } from './object-screen.js';
import { SettingsForm, type SettingsFormProps, type Stored } from './settings-form.js';
import { type Tab, TabSet } from './tab-set.js';
import { partTexts } from './text.js';

interface Detailed extends Stored {
  isManaged: boolean;
  viewerCan: Stored['viewerCan'] & { delete: { isAllowed: boolean } };
}

interface DetailScreenProps<Node extends Detailed> {
  shown: Shown<Node>;
  /** what the object is called while it is not loaded */
  kind: Text;
  nameOf(node: Node): string;
  actions?(part: Part<Node>): ReactNode;
  /** what is asked before the object is deleted, and what deletes it */
  removeHint?: Text;
  remove(node: Node, options: { isDryRun: boolean }): Promise<Outcome<object>>;
  /** what is above the tabs */
  above?(part: Part<Node>): ReactNode;
  /** the form, which is the first tab, and its title */
  form: Pick<SettingsFormProps<Node>, 'isPreviewed' | 'save'> & {
    title?: Text;
    /** which may depend on the object */
    sections: readonly Section[] | ((node: Node) => readonly Section[]);
  };
  /** the other tabs */
  tabs(part: Part<Node>): readonly (Tab | false | null | undefined)[];
}

/** The screen of one object: a form with its fields, and further tabs. */
export function DetailScreen<Node extends Detailed>(props: DetailScreenProps<Node>) {
  const { shown, kind, nameOf, actions, removeHint, remove, above, form, tabs } = props;
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
          {node.isManaged && <ManagedNotice />}
          {above?.({ node, reload })}
          <TabSet key={node.id} tabs={[['settings', title, formOf(node)], ...tabs({ node, reload })]} />
        </>
      )}
    </ObjectScreen>
  );
}

/** Says that a file describes the object, and leads to it. */
function ManagedNotice() {
  const t = useText(partTexts);
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
