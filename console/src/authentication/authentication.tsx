import { useParams, useSearch } from '@tanstack/react-router';
import { ObjectScreen, TabSet } from '../parts/object-screen.js';
import { nodeOf, useLoad } from '../session/graphql.js';
import { useMay } from '../shell/areas.js';
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
  const { flow } = useSearch({ from: '/$realm/authentication' });
  const may = useMay(realm);
  const loaded = useLoad(Document, {
    realm,
    flow: flow ?? '',
    isChosen: flow !== undefined,
    viewsFlows: may('VIEW_FLOWS'),
    viewsActions: may('VIEW_REQUIRED_ACTIONS'),
    viewsRealm: may('VIEW_REALM'),
  });
  const rules = loaded.data?.serverInfo?.passwordRules ?? [];
  const chosen = nodeOf(loaded.data?.node);
  return (
    <ObjectScreen title={t('title')} loaded={loaded} object={loaded.data?.realm}>
      {(realm) => {
        const part = { realm, rules, reload: loaded.reload };
        const shown = chosen ?? realm.flows?.browser;
        return (
          <TabSet
            tabs={[
              realm.authenticationFlows != null && ['flows', texts.flows, <Flows {...part} shown={shown} />],
              realm.requiredActions != null && ['actions', texts.actions, <Actions {...part} />],
              realm.login != null && ['policy', texts.policy, <PasswordPolicy {...part} />],
            ]}
          />
        );
      }}
    </ObjectScreen>
  );
}
