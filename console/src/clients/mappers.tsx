import { IconTransform } from '@tabler/icons-react';
import { choiceField, nameField } from '../parts/fields.js';
import { ObjectList } from '../parts/object-list.js';
import { mutate } from '../session/mutate.js';
import type { Part } from '../session/node.js';
import { useText } from '../text/text.js';
import type { ClientProtocol, MapperRowFragment, ProtocolMapperType } from './documents.js';
import { mapperFields, mapperTypes } from './mapper-fields.js';
import { texts } from './text.js';

/** A client or client scope, as its screen has loaded it. */
interface Owner {
  id: string;
  protocol: ClientProtocol | null;
  protocolMappers: { nodes: MapperRowFragment[] } | null;
  viewerCan: { createProtocolMapper: { isAllowed: boolean } };
}

/** The protocol mappers of a client or client scope. */
export function Mappers({ node: { id: owner, protocol, protocolMappers, viewerCan }, reload }: Part<Owner>) {
  const t = useText(texts);
  return (
    <ObjectList
      nodes={protocolMappers?.nodes ?? []}
      isAllowed={viewerCan.createProtocolMapper.isAllowed}
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
        save: ({ id }, input, options) => mutate('protocolMapperUpdate', { id, ...input }, options),
      }}
      remove={({ id }, options) => mutate('protocolMapperDelete', { id }, options)}
      reload={reload}
    />
  );
}
