import { useParams } from '@tanstack/react-router';
import { NotFound } from '../parts/not-found.js';
import { TabSet } from '../parts/tab-set.js';
import { useLoad } from '../session/graphql.js';
import { useMay } from '../shell/permissions.js';
import { Screen } from '../shell/screen.js';
import { useText } from '../text/text.js';
import { Actions } from './actions.js';
import { Authentication as Document } from './documents.js';
import { Flows } from './flows.js';
import { PasswordPolicy } from './password-policy.js';
import { texts } from './text.js';

/** How users log in: flows, required actions, and the password policy. */
export function Authentication() {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const may = useMay(realm);
  const loaded = useLoad(Document, {
    realm,
    viewsFlows: may('VIEW_FLOWS'),
    viewsActions: may('VIEW_REQUIRED_ACTIONS'),
    viewsRealm: may('VIEW_REALM'),
  });
  return (
    <Screen title={t('title')} loaded={loaded}>
      {({ realm: found, serverInfo }) => {
        if (!found) return <NotFound />;
        const part = { realm: found, rules: serverInfo?.passwordRules ?? [], reload: loaded.reload };
        return (
          <TabSet
            tabs={[
              found.authenticationFlows != null && { name: 'flows', title: t('flows'), content: <Flows {...part} /> },
              found.requiredActions != null && { name: 'actions', title: t('actions'), content: <Actions {...part} /> },
              found.login != null && { name: 'policy', title: t('policy'), content: <PasswordPolicy {...part} /> },
            ]}
          />
        );
      }}
    </Screen>
  );
}
