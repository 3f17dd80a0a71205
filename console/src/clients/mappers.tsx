import { IconTransform } from '@tabler/icons-react';
import { choiceField, nameField, valuesAt } from '../parts/fields.js';
import { ObjectList } from '../parts/object-list.js';
import { mutate } from '../session/mutate.js';
import { useText } from '../text/text.js';
import type { ClientProtocol, MapperRowFragment, ProtocolMapperType } from './documents.js';
import { mapperFields, mapperTypes } from './mapper-fields.js';
import { texts } from './text.js';

interface MappersProps {
  /** the ID of the client or client scope */
  owner: string;
  protocol: ClientProtocol | null;
  mappers: MapperRowFragment[];
  isAllowed: boolean;
  reload(): void;
}

/** The protocol mappers of a client or client scope. */
export function Mappers({ owner, protocol, mappers, isAllowed, reload }: MappersProps) {
  const t = useText(texts);
  return (
    <ObjectList
      nodes={mappers}
      isAllowed={isAllowed}
      icon={IconTransform}
      empty={{ title: t('noMappers'), hint: t('noMappersHint') }}
      describe={({ type, settings }) => ({ hint: settings.claimName ?? settings.attributeName, badges: [type] })}
      add={{
        title: t('addMapper'),
        start: { 'settings.isInAccessToken': true, 'settings.isInIdToken': true, 'settings.isInUserInfo': true },
        fields: ({ type }) => [
          nameField,
          choiceField('type', texts.kind, mapperTypes(protocol)),
          ...mapperFields(type as ProtocolMapperType | undefined),
        ],
      }}
      create={(input) =>
        mutate('protocolMapperCreate', { owner, name: '', type: input.type as ProtocolMapperType, ...input })
      }
      edit={{
        fields: ({ type }) => mapperFields(type),
        startOf: (mapper) => valuesAt(mapperFields(mapper.type), mapper),
        save: ({ id }, input, options) => mutate('protocolMapperUpdate', { id, ...input }, options),
      }}
      remove={({ id }, options) => mutate('protocolMapperDelete', { id }, options)}
      reload={reload}
    />
  );
}
