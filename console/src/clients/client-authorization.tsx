import { Select, SimpleGrid, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { choiceField, nameField, valuesAt } from '../parts/fields.js';
import { IconGavel } from '../parts/icons.js';
import { ObjectList, Row, RowSection } from '../parts/rows.js';
import { TargetSelect } from '../parts/target-select.js';
import { load, mutate, nodeOf, useLoad } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { useMay } from '../shell/areas.js';
import { useNotify } from '../shell/notify.js';
import { Failure } from '../shell/screen.js';
import { useText, useTranslated, useValueName } from '../text/text.js';
import { ProtectedObjects, ResourceServer } from './authorization-objects.js';
import type { ClientPart } from './client-tabs.js';
import {
  type AuthorizationPolicyType,
  ClientAuthorizationPolicies,
  ClientDecision,
  PolicyDetail,
} from './documents.js';
import {
  isCut,
  kindOf,
  type PolicyChoices,
  type PolicyKind,
  policyFields,
  policyKinds,
  policySettings,
  shownPolicy,
  typeName,
} from './policies.js';
import { texts } from './texts.js';

/** The objects, the decision strategy, and the settings of a resource server. */
export function ClientAuthorization(part: ClientPart) {
  // an import adds to all lists, which are loaded anew then
  const [imports, setImports] = useState(0);
  const { id, authorizationResources } = part.node;
  const resources = authorizationResources?.nodes.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  return (
    <Stack maw={760}>
      <Objects key={`${id} ${imports}`} {...part} />
      <Evaluator {...part} resources={resources} />
      <ResourceServer {...part} onImported={() => setImports((before) => before + 1)} />
    </Stack>
  );
}

/** The resources, scopes, policies, and permissions of a resource server. */
function Objects(part: ClientPart) {
  const { node: client, reload } = part;
  const pages = usePages(
    ClientAuthorizationPolicies,
    { id: client.id },
    ({ node }) => nodeOf(node)?.authorizationPolicies,
  );
  const t = useText(texts);
  const notify = useNotify();
  const translate = useTranslated();
  const valueName = useValueName();
  const may = useMay(useParams({ from: '/$realm' }).realm);
  const choicesOf = (nodes: { id: string; name: string }[] = []) =>
    nodes.map(({ id, name }) => ({ value: id, label: name }));
  const choices: PolicyChoices = {
    policies: choicesOf(client.authorizationPolicies?.nodes),
    resources: choicesOf(client.authorizationResources?.nodes),
    scopes: choicesOf(client.authorizationScopes?.nodes),
  };
  const fieldsOf = (type: AuthorizationPolicyType | null) => {
    const kind = kindOf(type);
    return kind ? [nameField, ...policyFields(kind, choices)] : [];
  };
  const isAllowed = may('MANAGE_AUTHORIZATION');
  return (
    <>
      <ProtectedObjects {...part} isAllowed={isAllowed} />
      <RowSection title={t('policiesAndPermissions')}>
        <ObjectList
          pages={{
            ...pages,
            reload: () => {
              pages.reload();
              reload();
            },
          }}
          isAllowed={isAllowed}
          help="authorizationPolicyUpdate"
          icon={IconGavel}
          empty={{ title: t('noPolicies'), hint: t('noPoliciesHint') }}
          describe={({ type, description, logic }) => ({
            hint: description,
            badges: [translate(typeName(type) ?? valueName(type ?? '')), logic === 'NEGATIVE' && valueName(logic)],
          })}
          add={{
            title: t('addPolicy'),
            start: { kind: 'role' },
            fields: ({ kind }) => [
              nameField,
              choiceField('kind', texts.kind, policyKinds),
              ...policyFields(policyKinds.find(({ value }) => value === kind)?.value, choices),
            ],
          }}
          create={({ kind, settings, ...input }) =>
            mutate('authorizationPolicyCreate', {
              client: client.id,
              name: '',
              ...input,
              settings: policySettings(kind as PolicyKind, settings),
            })
          }
          edit={{
            fields: ({ type }) => fieldsOf(type),
            startOf: async ({ id, type }) => {
              const stored = nodeOf((await load(PolicyDetail, { id }))?.node);
              if (stored && isCut(stored)) {
                notify.failed([{ code: 'LIMIT', message: t('tooManyToChange'), path: null }]);
                return undefined;
              }
              return stored ? valuesAt(fieldsOf(type), shownPolicy(stored)) : {};
            },
            save: ({ id, type, version }, { settings, ...input }, options) => {
              const kind = kindOf(type);
              const changed = kind && { settings: policySettings(kind, settings) };
              return mutate(
                'authorizationPolicyUpdate',
                { id, expectedVersion: version, ...input, ...changed },
                options,
              );
            },
          }}
          remove={({ id }, options) => mutate('authorizationPolicyDelete', { id }, options)}
        />
      </RowSection>
    </>
  );
}

/** How the policies decide for a user, and which permissions were the reason. */
function Evaluator({ node: client, resources }: ClientPart & { resources: { value: string; label: string }[] }) {
  const t = useText(texts);
  const [user, setUser] = useState('');
  const [resource, setResource] = useState<string | null>(null);
  const loaded = useLoad(
    ClientDecision,
    { id: client.id, user, ...(resource && { resource }) },
    { isPaused: user === '' },
  );
  const decision = user ? nodeOf(loaded.data?.node)?.evaluatePolicies : undefined;
  const word = (isPermitted: boolean) => t(isPermitted ? 'permitted' : 'denied');
  return (
    <RowSection title={t('evaluate')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TargetSelect kind="user" label={t('user')} value={user} onChange={setUser} />
        <Select
          label={t('resource')}
          placeholder={t('choose')}
          clearable
          data={resources}
          value={resource}
          onChange={setResource}
        />
      </SimpleGrid>
      <Failure loaded={loaded} />
      {decision?.results.map(({ isPermitted, resource: asked, scopeNames, permissions }, at) => (
        <Row
          key={asked?.id ?? at}
          name={asked?.name ?? scopeNames.join(', ')}
          hint={permissions
            .map(({ permission, isPermitted }) => `${permission?.name ?? ''}: ${word(isPermitted)}`)
            .join(' · ')}
          badges={[word(isPermitted)]}
        />
      ))}
    </RowSection>
  );
}
