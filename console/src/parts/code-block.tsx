import { Box, Button, Code, CopyButton } from '@mantine/core';
import { useText } from '../text/text.js';
import { partTexts } from './text.js';

/** A text for machines, which can be copied. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  const t = useText(partTexts);
  return (
    <Box w="100%">
      <Code block tabIndex={0} mah={360} role="region" aria-label={label} style={{ overflow: 'auto' }}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button mt="xs" size="xs" onClick={copy} aria-label={t('copyNamed', { name: label })}>
            {copied ? t('copied') : t('copyNamed', { name: label })}
          </Button>
        )}
      </CopyButton>
    </Box>
  );
}
