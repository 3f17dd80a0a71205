import { Button } from '@mantine/core';
import { IconTransform } from '@tabler/icons-react';
import { useState } from 'react';
import { valuesAt } from '../parts/field-input.js';
import { FormDialog } from '../parts/form-dialog.js';
import { ObjectList } from '../parts/object-list.js';
import { mutate } from '../session/graphql.js';
import { useText } from '../text/text.js';
import {
  type ClientProtocol,
  MapperAdd,
  MapperDelete,
  type MapperRowFragment,
  MapperSave,
  type ProtocolMapperType,
} from './documents.js';
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
  const [edited, setEdited] = useState<MapperRowFragment>();
  return (
    <>
      <ObjectList
        nodes={mappers}
        isAllowed={isAllowed}
        icon={IconTransform}
        empty={{ title: t('noMappers'), hint: t('noMappersHint') }}
        describe={(mapper) => ({
          hint: mapper.settings.claimName ?? mapper.settings.attributeName,
          badges: [mapper.type],
          actions: isAllowed && mapperFields(mapper.type).length > 0 && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={t('edit', { name: mapper.name })}
              onClick={() => setEdited(mapper)}
            >
              …
            </Button>
          ),
        })}
        add={{
          title: t('addMapper'),
          start: { 'settings.isInAccessToken': true, 'settings.isInIdToken': true, 'settings.isInUserInfo': true },
          fields: ({ type }) => [
            { path: 'name', label: texts.name, isRequired: true },
            { path: 'type', label: texts.kind, kind: 'choice', choices: mapperTypes(protocol), isRequired: true },
            ...mapperFields(type as ProtocolMapperType | undefined),
          ],
        }}
        create={(input) =>
          mutate(MapperAdd, { input: { owner, name: '', type: input.type as ProtocolMapperType, ...input } })
        }
        remove={({ id }, options) => mutate(MapperDelete, { id }, options)}
        reload={reload}
      />
      {edited && (
        <FormDialog
          title={t('edit', { name: edited.name })}
          start={valuesAt(mapperFields(edited.type), edited)}
          fields={mapperFields(edited.type)}
          submit={(input) => mutate(MapperSave, { input: { id: edited.id, ...input } })}
          onDone={reload}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}
