import { ClientProtocol } from '../clients/filter.js';
import { builder } from '../core/builder.js';

type InputBuilder = PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>;

export const ProtocolMapperSettingInput = builder.inputType('ProtocolMapperSettingInput', {
  description: 'A setting of a protocol mapper.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the setting, e.g. `claim.name`.' }),
    value: t.string({ required: true, description: 'Value of the setting. An empty value removes the setting.' }),
  }),
});

/** What a new protocol mapper is made of. */
export const newMapperInputs = (t: InputBuilder) => ({
  name: t.string({
    required: true,
    description: 'Name of the mapper, unique among the mappers of the client or client scope with the same protocol.',
  }),
  protocol: t.field({ type: ClientProtocol, description: 'Protocol of the mapper. Default OpenID Connect.' }),
  type: t.string({ required: true, description: 'Type of the mapper, e.g. `oidc-usermodel-attribute-mapper`.' }),
  config: t.field({ type: [ProtocolMapperSettingInput], description: 'Settings of the mapper.' }),
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
  config?: Settings;
}

/** Settings as the map of the contract. */
export const configOf = (config: Settings) =>
  Object.fromEntries((config ?? []).map(({ name, value }) => [name, value]));

/** A protocol mapper in the form of the contract. */
export const mapperOf = ({ name, protocol, type, config }: MapperInputValue) => ({
  name,
  protocol: protocol ?? 'openid-connect',
  protocolMapper: type,
  config: configOf(config),
});
