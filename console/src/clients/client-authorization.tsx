import { Select, SimpleGrid, Stack, Title } from '@mantine/core';
import { IconGavel } from '@tabler/icons-react';
import { useState } from 'react';
import type { FieldValues, FormField } from '../parts/field-input.js';
import { ObjectList } from '../parts/object-list.js';
import { Row } from '../parts/row.js';
import { mutate, useLoad } from '../session/graphql.js';
import { useMay } from '../shell/permissions.js';
import { Failure } from '../shell/screen.js';
import { type Text, useText } from '../text/text.js';
import { type AuthorizationPolicySettingsInput, ClientDecision, PolicyAdd, PolicyDelete } from './documents.js';
import type { ClientPart } from './loaded-client.js';
import { texts } from './text.js';
import { UserSelect } from './user-select.js';

/** The policies and permissions of a resource server, and how they decide. */
export function ClientAuthorization(part: ClientPart) {
  const { client, realm, found, reload } = part;
  const t = useText(texts);
  const may = useMay(realm);
  const choicesOf = (connection: { edges: { node: { id: string; name: string } }[] } | null | undefined) =>
    connection?.edges.map(({ node }) => ({ value: node.id, label: node.name })) ?? [];
  const several = (path: string, label: Text, choices: FormField['choices'] = []): FormField => ({
    path,
    label,
    kind: 'choices',
    choices,
  });
  const policies = several('policies', ['Policies', 'Policies'], choicesOf(client.authorizationPolicies));
  const resources = several('resources', ['Resources', 'Ressourcen'], choicesOf(client.authorizationResources));
  /** The settings of each kind that can be created here. */
  const kinds: Record<string, FormField[]> = {
    role: [several('roles', ['Roles', 'Rollen'], choicesOf(found.roles))],
    aggregated: [policies],
    resourcePermission: [resources, policies],
    scopePermission: [several('scopes', ['Scopes', 'Scopes'], choicesOf(client.authorizationScopes)), policies],
  };
  const create = ({ kind, name, ...settings }: FieldValues) => {
    const roles = (settings.roles as string[] | undefined)?.map((role) => ({ role }));
    return mutate(PolicyAdd, {
      input: {
        client: client.id,
        name: String(name),
        settings: { [String(kind)]: roles ? { roles } : settings } as unknown as AuthorizationPolicySettingsInput,
      },
    });
  };
  return (
    <Stack maw={760}>
      <ObjectList
        nodes={client.authorizationPolicies?.edges.map(({ node }) => node) ?? []}
        isAllowed={may('MANAGE_AUTHORIZATION')}
        icon={IconGavel}
        empty={{ title: t('noPolicies'), hint: t('noPoliciesHint') }}
        describe={({ type, description, logic }) => ({
          hint: description,
          badges: [type, logic === 'NEGATIVE' ? logic : null],
        })}
        add={{
          title: t('addPolicy'),
          start: { kind: 'role' },
          fields: ({ kind }) => [
            { path: 'name', label: texts.name, isRequired: true },
            { path: 'kind', label: texts.kind, kind: 'choice', choices: Object.keys(kinds), isRequired: true },
            ...(kinds[String(kind)] ?? []),
          ],
        }}
        create={create}
        remove={({ id }, options) => mutate(PolicyDelete, { id }, options)}
        reload={reload}
      />
      <Evaluator {...part} resources={choicesOf(client.authorizationResources)} />
    </Stack>
  );
}

/** How the policies decide for a user, and which permissions were the reason. */
function Evaluator({ client, realm, resources }: ClientPart & { resources: { value: string; label: string }[] }) {
  const t = useText(texts);
  const [user, setUser] = useState('');
  const [resource, setResource] = useState<string | null>(null);
  const loaded = useLoad(
    ClientDecision,
    { id: client.id, user, ...(resource && { resource }) },
    { isPaused: user === '' },
  );
  const node = loaded.data?.node;
  const decision = user && node && 'evaluatePolicies' in node ? node.evaluatePolicies : undefined;
  const word = (isPermitted: boolean) => t(isPermitted ? 'permitted' : 'denied');
  return (
    <>
      <Title order={2} size="h4">
        {t('evaluate')}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <UserSelect realm={realm} value={user} onChange={setUser} />
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
    </>
  );
}
