import {
  flag,
  type Input,
  int,
  json,
  list,
  map,
  plainFlag,
  plainInt,
  representation,
  shortText,
  text,
  texts,
} from '../core/shape.js';

/** AuthenticationExecutionExportRepresentation of the contract: a step as flows show it. */
const AuthenticationExecutionExportRepresentation = representation('AuthenticationExecutionExportRepresentation', {
  authenticator: text,
  authenticatorConfig: text,
  authenticatorFlow: flag,
  // The misspelt twin is on the wire, too.
  autheticatorFlow: flag,
  flowAlias: text,
  priority: int,
  requirement: text,
  userSetupAllowed: flag,
});
export type ExecutionExportInput = Input<typeof AuthenticationExecutionExportRepresentation>;

/** AuthenticationFlowRepresentation of the contract. */
export const AuthenticationFlowRepresentation = representation('AuthenticationFlowRepresentation', {
  id: text,
  alias: shortText,
  description: shortText,
  providerId: shortText,
  topLevel: plainFlag,
  builtIn: plainFlag,
  authenticationExecutions: list(AuthenticationExecutionExportRepresentation),
});
export type FlowInput = Input<typeof AuthenticationFlowRepresentation>;

/** AuthenticationExecutionRepresentation of the contract: a single step, with the flags for its requirement. */
export const AuthenticationExecutionRepresentation = representation('AuthenticationExecutionRepresentation', {
  id: text,
  authenticator: text,
  authenticatorConfig: text,
  authenticatorFlow: flag,
  autheticatorFlow: flag,
  flowId: text,
  parentFlow: text,
  priority: int,
  requirement: text,
  alternative: flag,
  conditional: flag,
  disabled: flag,
  enabled: flag,
  required: flag,
});

/** AuthenticationExecutionInfoRepresentation of the contract: a line of the flattened tree of a flow. */
export const AuthenticationExecutionInfoRepresentation = representation('AuthenticationExecutionInfoRepresentation', {
  id: text,
  requirement: text,
  displayName: text,
  alias: text,
  description: text,
  requirementChoices: texts,
  configurable: flag,
  authenticationFlow: flag,
  providerId: text,
  authenticationConfig: text,
  flowId: text,
  level: int,
  index: int,
});

/** AuthenticatorConfigRepresentation of the contract. */
export const AuthenticatorConfigRepresentation = representation('AuthenticatorConfigRepresentation', {
  id: text,
  alias: shortText,
  config: map,
});

/** RequiredActionProviderRepresentation of the contract. */
export const RequiredActionProviderRepresentation = representation('RequiredActionProviderRepresentation', {
  alias: shortText,
  name: shortText,
  providerId: shortText,
  enabled: plainFlag,
  defaultAction: plainFlag,
  priority: plainInt,
  config: map,
});

export type RequiredActionInput = Input<typeof RequiredActionProviderRepresentation>;

/** ConfigPropertyRepresentation of the contract: a setting that a provider has. */
export const ConfigPropertyRepresentation = representation('ConfigPropertyRepresentation', {
  name: text,
  label: text,
  helpText: text,
  type: text,
  defaultValue: json,
  options: texts,
  secret: flag,
});

/** AuthenticatorConfigInfoRepresentation of the contract: the settings of an authenticator. */
export const AuthenticatorConfigInfoRepresentation = representation('AuthenticatorConfigInfoRepresentation', {
  name: text,
  providerId: text,
  helpText: text,
  properties: list(ConfigPropertyRepresentation),
});

/** A step to add to a flow by its provider. The contract takes a map and ignores all other members. */
export const NewExecution = representation('NewExecution', { provider: text, requirement: text }, 'ignored');

/** A flow to add to another one, with its step. */
export const NewSubflow = representation(
  'NewSubflow',
  { alias: text, type: text, provider: text, description: text },
  'ignored',
);

/** The name of a copy. `ownConfigs` is never sent: whether the steps get copies of their configurations, too. */
export const FlowCopy = representation('FlowCopy', { newName: text, ownConfigs: flag }, 'ignored');

/** How strict the removal of a flow is. */
export const FlowRemoval = representation('FlowRemoval', { evenIfClientsUseIt: flag });

/** A required action that is registered. */
export const NewRequiredAction = representation('NewRequiredAction', { providerId: text, name: text }, 'ignored');

/** An entry of the lists of providers; the contract has no name for it. */
export const ProviderRepresentation = representation('AuthenticationProvider', {
  id: text,
  displayName: text,
  description: text,
});

/** A required action of the server that the realm does not have. */
export const UnregisteredActionRepresentation = representation('UnregisteredRequiredAction', {
  name: text,
  providerId: text,
});
