import { protocolMapperFields } from '../../services/client-scopes/fields.js';
import { invalid } from '../../services/core/refusal.js';
import { ClientProtocol } from '../clients/filter.js';
import { builder } from '../core/builder.js';
import {
  MapperSettingsInput,
  otherEntries,
  ProtocolMapperType,
  requireNoSettings,
  sendSettings,
} from './setting-values.js';

type InputBuilder = PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>;

export const ProtocolMapperSettingInput = builder.inputType('ProtocolMapperSettingInput', {
  description: 'A setting of a protocol mapper.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the setting, e.g. `claim.name`.' }),
    value: t.string({ required: true, description: 'Value of the setting. An empty value removes the setting.' }),
  }),
});

/** The input fields of a new protocol mapper. */
export const newMapperInputs = (t: InputBuilder) => ({
  name: t.string({ required: true, description: protocolMapperFields.name.description }),
  protocol: t.field({ type: ClientProtocol, description: 'Protocol of the mapper. Default OpenID Connect.' }),
  type: t.field({ type: ProtocolMapperType, required: true, description: 'Type of the mapper.' }),
  settings: t.field({ type: MapperSettingsInput, description: 'Settings of the mapper.' }),
  config: t.field({
    type: [ProtocolMapperSettingInput],
    description: 'Settings that `settings` does not have, by their names in the REST API.',
  }),
});

export const NewProtocolMapper = builder.inputType('NewProtocolMapperInput', {
  description: 'A protocol mapper to create.',
  fields: newMapperInputs,
});

type Settings = readonly { name: string; value: string }[] | null | undefined;

export interface MapperInputValue {
  name: string;
  protocol?: string | null | undefined;
  type: string;
  settings?: Readonly<Record<string, unknown>> | null | undefined;
  config?: Settings;
}

/** Settings as the map of the contract. */
const configOf = (config: Settings) => Object.fromEntries((config ?? []).map(({ name, value }) => [name, value]));

/** A new protocol mapper in the form of the contract. `prefix` is the path of its input. */
export function mapperOf({ name, protocol, type, settings, config }: MapperInputValue, prefix = '') {
  const given = configOf(config);
  requireNoSettings(Object.keys(given), prefix);
  const own = Object.entries(sendSettings(type, settings ?? undefined, prefix)).filter(([, value]) => value !== null);
  return {
    name,
    protocol: protocol ?? 'openid-connect',
    protocolMapper: type,
    config: { ...given, ...Object.fromEntries(own) },
  };
}

/** New protocol mappers in the form of the contract. */
export const mappersOf = (values: readonly MapperInputValue[]) =>
  values.map((value, index) => mapperOf(value, `protocolMappers.${index}.`));

/** Changes of the entries of `config`. `config` replaces the entries that are not settings; null removes an entry. */
export function changedConfig(
  present: Readonly<Record<string, string>>,
  { type, settings, config }: Pick<Partial<MapperInputValue>, 'settings' | 'config'> & { type: string | null },
): Record<string, string | null> | null | undefined {
  if (config === null) throw invalid('`config` must not be null', 'config');
  if (settings === undefined && config === undefined) return undefined;
  const given = configOf(config);
  requireNoSettings(Object.keys(given));
  const gone = config ? otherEntries(present).map(([name]) => [name, null] as const) : [];
  return { ...Object.fromEntries(gone), ...given, ...sendSettings(type, settings) };
}
