import { useParams } from '@tanstack/react-router';
import { DetailScreen } from '../parts/detail-screen.js';
import { descriptionField, flagField, nameField, type Section } from '../parts/fields.js';
import { mutate } from '../session/mutate.js';
import { useNode } from '../session/node.js';
import { ScopeDetail } from './documents.js';
import { Mappers } from './mappers.js';
import { texts } from './text.js';

const sections: Section[] = [
  {
    title: texts.general,
    fields: [
      nameField,
      descriptionField,
      flagField('isInTokenScope', ['Named in the scope of tokens', 'Im Scope von Tokens genannt']),
      flagField('isOnConsentScreen', ['An item of the consent', 'Ein Punkt der Einwilligung']),
      { path: 'consentText', label: texts.consentText, kind: 'long' },
    ],
  },
];

/** A client scope: its settings and mappers. */
export function Scope() {
  const { id } = useParams({ from: '/$realm/client-scopes/$id' });
  return (
    <DetailScreen
      shown={useNode(ScopeDetail, { id })}
      kind={texts.clientScope}
      nameOf={({ name }) => name}
      remove={(_, options) => mutate('clientScopeDelete', { id }, options)}
      form={{ sections, save: (input, options) => mutate('clientScopeUpdate', input, options) }}
      tabs={(part) => [['mappers', texts.mappers, <Mappers {...part} />]]}
    />
  );
}
