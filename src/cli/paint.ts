import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Colours a text, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string;

/** Colours texts for a stream. On other streams than terminals, and with NO_COLOR, the texts stay as they are. */
export function painter(stream: NodeJS.WriteStream): Paint {
  const hasColours = stream.isTTY && stream.hasColors() && !process.env['NO_COLOR'];
  return (style, text) => (hasColours ? styleText(style, text) : text);
}
