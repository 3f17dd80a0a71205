import { Box, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useRef } from 'react';
import type { FieldValues } from '../parts/fields.js';
import { useLoad } from '../session/graphql.js';
import { Failure } from '../shell/screen.js';
import { useText } from '../text/text.js';
import { RealmLoginPreview } from './documents.js';
import { texts } from './text.js';

interface LoginPreviewProps {
  realm: string;
  values: FieldValues;
}

/** A value of the form once nobody types any more. A colour that is not complete is none. */
function useSettled(value: unknown): string | null {
  const text = typeof value === 'string' ? value : '';
  const [settled] = useDebouncedValue(/^(#[0-9a-f]{6}$|data:)/i.test(text) ? text : null, 300);
  return settled;
}

/** The login page of a realm as it would be with the values of the form. */
export function LoginPreview({ realm, values }: LoginPreviewProps) {
  const t = useText(texts);
  const accentColor = useSettled(values['loginPages.accentColor']);
  const backgroundColor = useSettled(values['loginPages.backgroundColor']);
  const logo = useSettled(values['loginPages.logo']);
  const loaded = useLoad(RealmLoginPreview, { realm, accentColor, backgroundColor, logo });
  // the last page stays until the next one is there
  const shown = useRef('');
  shown.current = loaded.data?.realm?.loginPagePreview ?? shown.current;
  return (
    <Box component="section" aria-label={t('loginPreview')} flex="1 1 300px" maw={480} miw={0}>
      <Text fw={600} mb="xs">
        {t('loginPreview')}
      </Text>
      <Failure loaded={loaded} />
      <iframe className="login-preview" title={t('loginPreview')} sandbox="" tabIndex={-1} srcDoc={shown.current} />
    </Box>
  );
}
