import { Select, Stack, Text, TextInput } from '@mantine/core';
import { ReviewButton } from '../parts/dialogs.js';
import { useDraft } from '../parts/draft.js';
import { Row } from '../parts/rows.js';
import { mutate } from '../session/graphql.js';
import { textOr } from '../text/catalogue.js';
import { useText, useTranslated } from '../text/text.js';
import type { AuthenticationPart } from './flow-tasks.js';
import { texts } from './texts.js';

/** Builds the password policy from the rules that the server has. */
export function PasswordPolicy({ realm, rules, reload }: AuthenticationPart) {
  const t = useText(texts);
  const translate = useTranslated();
  const draft = useDraft({ chosen: rulesOf(realm.login?.passwordPolicy ?? null) }, realm.version ?? 0);
  const isAllowed = realm.viewerCan.update.isAllowed;
  const { chosen } = draft.values;
  const known = (name: string) => rules.find((rule) => rule.name === name);
  const free = rules.filter(({ name, canRepeat }) => canRepeat || !chosen.some((rule) => rule.name === name));
  const policy = policyOf(chosen);
  return (
    <Stack maw={760} gap="xs">
      {chosen.length === 0 && <Text>{t('noRules')}</Text>}
      {chosen.map(({ name, value }, at) => {
        const rule = known(name);
        const title = rule ? translate(titleOf(rule)) : name;
        return (
          <Row
            // a rule may be there several times
            key={`${name} ${at}`}
            name={title}
            actions={
              value !== null && (
                <TextInput
                  aria-label={t('ruleOf', { name: title })}
                  w={110}
                  readOnly={!isAllowed}
                  value={value}
                  onChange={({ currentTarget }) =>
                    draft.set('chosen', chosen.with(at, { name, value: currentTarget.value }))
                  }
                />
              )
            }
            onRemove={isAllowed && (() => draft.set('chosen', chosen.toSpliced(at, 1)))}
          />
        );
      })}
      {isAllowed && (
        <Select
          label={t('addRule')}
          searchable
          data={free.map((rule) => ({ value: rule.name, label: translate(titleOf(rule)) }))}
          value={null}
          onChange={(name) =>
            name && draft.set('chosen', [...chosen, { name, value: known(name)?.defaultValue ?? null }])
          }
        />
      )}
      <Text ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {policy}
      </Text>
      {isAllowed && (
        <ReviewButton
          title={t('policy')}
          button={{ label: t('save'), 'aria-label': t('save'), variant: 'filled', disabled: !draft.isChanged }}
          act={(options) =>
            mutate(
              'realmUpdate',
              { id: realm.id, expectedVersion: draft.version, login: { passwordPolicy: policy } },
              options,
            )
          }
          done={t('saved', { name: t('policy') })}
          onDone={() => {
            draft.rebase({ chosen }, draft.version, { chosen });
            reload();
          }}
        />
      )}
    </Stack>
  );
}

/** What a rule is called. */
const titleOf = ({ name, displayName }: { name: string; displayName: string }) =>
  textOr(texts, `rule.${name}`, displayName);

/** A rule of a password policy with its value, as the policy has it. */
interface Rule {
  name: string;
  value: string | null;
}

/** The rules of a policy such as `length(12) and notUsername(undefined)`. */
const rulesOf = (policy: string | null): Rule[] =>
  (policy ?? '')
    .split(' and ')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [, name = part, value = null] = /^\s*([^()\s]+)(?:\((.*)\))?\s*$/.exec(part) ?? [];
      return { name, value: value === 'undefined' ? null : value };
    });

/** The policy that has the rules. */
const policyOf = (rules: readonly Rule[]): string =>
  rules.map(({ name, value }) => (value === null ? name : `${name}(${value})`)).join(' and ');
