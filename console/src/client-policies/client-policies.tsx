import { Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { asNamed, descriptionField, type FormField, flagField, nameField, untyped } from '../parts/fields.js';
import { IconGavel, IconListCheck } from '../parts/icons.js';
import { RowSection } from '../parts/rows.js';
import type { ClientPolicyInput, ClientProfileInput } from '../session/documents.js';
import { mutate, useLoad } from '../session/graphql.js';
import { Failure } from '../shell/screen.js';
import { useText, useValueName } from '../text/text.js';
import { ClientPolicies as Document } from './documents.js';
import { conditions, executors, partsOf, storedParts } from './parts.js';
import { ReplacedList } from './replaced-list.js';
import { texts } from './texts.js';

/** The client policies of a realm, and the profiles that they apply. */
export function ClientPolicies() {
  const t = useText(texts);
  const nameOf = useValueName();
  const { realm: name } = useParams({ from: '/$realm' });
  const loaded = useLoad(Document, { realm: name });
  const realm = loaded.data?.realm;
  if (!realm) return <Failure loaded={loaded} />;
  const { id, version, clientProfiles: profiles } = realm;
  const own = profiles?.filter(({ isGlobal }) => !isGlobal) ?? [];
  const globals = profiles?.filter(({ isGlobal }) => isGlobal).map((profile) => profile.name) ?? [];
  const known = [...own.map((profile) => profile.name), ...globals];
  // a policy can name profiles that were deleted since, with which it could not be stored again
  const policies = realm.clientPolicies?.map(({ profiles: named, ...policy }) => ({
    ...policy,
    profiles: named.filter((profile) => known.includes(profile)),
  }));
  const shared = { isAllowed: realm.viewerCan.update.isAllowed, reload: loaded.reload };
  const target = { realm: id, ...(version !== null && { expectedVersion: version }) };
  const chosenProfiles: FormField = {
    path: 'profiles',
    label: texts.profiles,
    kind: 'choices',
    choices: asNamed(known),
  };
  return (
    <Stack maw={760}>
      <RowSection title={t('policies')}>
        <ReplacedList
          {...shared}
          items={policies ?? []}
          kind={conditions}
          fields={[nameField, descriptionField, flagField('isEnabled', texts.enabled), chosenProfiles]}
          icon={IconGavel}
          title={t('addPolicy')}
          empty={{ title: t('noPolicies'), hint: t('noPoliciesHint') }}
          describe={({ isEnabled, profiles, conditions }) => ({
            hint: conditions.map(({ type }) => nameOf(type)).join(', '),
            badges: [...profiles, !isEnabled && t('disabled')],
          })}
          replace={(policies: ClientPolicyInput[], options) =>
            mutate('clientPoliciesReplace', { ...target, policies }, options)
          }
          itemOf={({ name, description, isEnabled, profiles, ...values }, before) => ({
            name: String(name ?? ''),
            description: typeof description === 'string' ? description : null,
            isEnabled: isEnabled === true,
            profiles: Array.isArray(profiles) ? profiles.map(String) : [],
            conditions: partsOf(conditions, values, before?.conditions),
          })}
          inputOf={({ conditions, ...policy }) => ({ ...untyped(policy), conditions: storedParts(conditions) })}
          partsIn={(policy) => policy.conditions}
        />
      </RowSection>
      <RowSection title={t('profiles')}>
        <ReplacedList
          {...shared}
          items={own}
          kind={executors}
          fields={[nameField, descriptionField]}
          icon={IconListCheck}
          title={t('addProfile')}
          empty={{ title: t('noProfiles'), hint: t('noProfilesHint', { names: globals.join(', ') }) }}
          describe={({ description, executors }) => ({
            hint: [description, executors.map(({ type }) => nameOf(type)).join(', ')].filter(Boolean).join(' · '),
          })}
          replace={(profiles: ClientProfileInput[], options) =>
            mutate('clientProfilesReplace', { ...target, profiles }, options)
          }
          itemOf={({ name, description, ...values }, before) => ({
            name: String(name ?? ''),
            description: typeof description === 'string' ? description : null,
            executors: partsOf(executors, values, before?.executors),
          })}
          inputOf={({ isGlobal: _, executors, ...profile }) => ({
            ...untyped(profile),
            executors: storedParts(executors),
          })}
          partsIn={(profile) => profile.executors}
        />
      </RowSection>
    </Stack>
  );
}
