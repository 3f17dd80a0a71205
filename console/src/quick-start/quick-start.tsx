import { Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ClientPart } from '../clients/client-tabs.js';
import { CodeBlock } from '../parts/display.js';
import { RowSection } from '../parts/rows.js';
import { type Text as Label, useText, useTranslated } from '../text/text.js';
import { code } from './code.js';
import { texts } from './texts.js';

/** The title of the tab. */
export const quickStart = texts.title;

/** A flow that an application needs, and whether it is turned on. */
type Need = [flow: Label, isOn: boolean];

/** The kinds of applications that can use a client, with the flow that each needs. */
function applicationsOf({ protocol, kind, flows }: ClientPart['node']): [keyof typeof code, Need?][] {
  const standard: Need = [texts.standardFlow, flows.isStandardEnabled];
  if (protocol === 'SAML') return [['saml']];
  if (kind === 'BEARER_ONLY') return [['api']];
  if (kind === 'PUBLIC')
    return [
      ['browser', standard],
      ['device', [texts.deviceFlow, flows.isDeviceEnabled]],
    ];
  return [
    ['server', standard],
    ['service', [texts.serviceAccount, flows.isServiceAccountEnabled]],
  ];
}

/** Code of applications that use the client, to be copied. */
export function QuickStart({ node: client }: ClientPart) {
  const t = useText(texts);
  const translate = useTranslated();
  const { realm } = useParams({ from: '/$realm' });
  const names = { origin: location.origin, realm, clientId: client.clientId };
  return (
    <Stack maw={900}>
      {applicationsOf(client).map(([application, need]) => (
        <RowSection key={application} title={t(application)}>
          <Text>{t(`${application}Hint`)}</Text>
          {need && !need[1] && <Text>{t('turnOn', { flow: translate(need[0]) })}</Text>}
          <CodeBlock label={t(application)} text={code[application](names)} />
        </RowSection>
      ))}
    </Stack>
  );
}
