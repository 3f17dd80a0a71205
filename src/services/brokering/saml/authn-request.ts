import type { Element } from '../../core/xml.js';
import { type Message, parametersOf } from '../../saml/messages.js';
import { bindings, nameIdFormats } from '../../saml/names.js';
import type { SentRequest, UpstreamWishes } from '../authorization-request.js';
import type { BrokerProvider } from '../provider.js';
import type { ProviderAddress } from '../provider-address.js';
import type { Upstream } from '../provider-context.js';
import { isOn } from '../provider-settings.js';
import { redirectUri } from '../redirect-uri.js';
import { nameIdFormatOf, ownEntityId, type ProviderPlace, signingTo, signOnPlace } from './settings.js';

/** The message with which a browser is sent to a provider (SAML 2.0 core, section 3.4.1). Throws `UpstreamFailure`. */
export async function authnRequest(
  upstream: Upstream,
  provider: BrokerProvider,
  sent: SentRequest,
  wishes: UpstreamWishes,
): Promise<ProviderAddress> {
  const place = signOnPlace(provider);
  const message: Message = {
    name: 'AuthnRequest',
    envelope: {
      id: sent.messageId ?? '',
      issuer: ownEntityId(upstream, provider),
      destination: place.address,
      at: Math.floor(upstream.now() / 1000),
    },
    content: contentOf(upstream, provider, wishes),
  };
  return addressWith(upstream, provider, place, message, sent.state);
}

/** Where the browser takes a message to a provider, signed if the provider wants that. */
export async function addressWith(
  upstream: Upstream,
  provider: BrokerProvider,
  { address, binding }: ProviderPlace,
  message: Message,
  relayState: string | undefined,
): Promise<ProviderAddress> {
  const signing = await signingTo(upstream, provider);
  const namesKey = isOn(provider.settings.addExtensionsElementWithKeyInfo);
  const parameters = await parametersOf(message, { binding, relayState, signing, namesKey });
  if (binding === 'post') return { address, form: parameters };
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { address: url.href };
}

function contentOf(upstream: Upstream, provider: BrokerProvider, { prompt = '', loginHint }: UpstreamWishes): Element {
  const { settings, alias } = provider;
  const format = nameIdFormatOf(provider);
  const prompts = prompt.split(' ');
  const isSilent = prompts.includes('none');
  const service = settings.attributeConsumingServiceIndex?.trim();
  const contexts = contextsOf(settings);
  const isTransient = format === nameIdFormats.transient;
  return {
    '@AssertionConsumerServiceURL': redirectUri(upstream.baseUrl, upstream.realm.name, alias),
    '@ProtocolBinding': isOn(settings.postBindingResponse) ? bindings.post : bindings.redirect,
    ...((isOn(settings.forceAuthn) || prompts.includes('login')) && { '@ForceAuthn': 'true' }),
    ...(isSilent && { '@IsPassive': 'true' }),
    ...(service && { '@AttributeConsumingServiceIndex': service }),
    ...(isOn(settings.loginHint) &&
      loginHint !== undefined && { 'saml:Subject': { 'saml:NameID': { '@Format': format, '#': loginHint } } }),
    'samlp:NameIDPolicy': {
      '@Format': format,
      // a name that is made for one login needs nobody's leave
      ...(!isTransient && { '@AllowCreate': String(settings.allowCreate !== 'false') }),
    },
    ...(contexts && { 'samlp:RequestedAuthnContext': contexts }),
  };
}

/** The contexts of authentication that the settings ask for (SAML 2.0 core, section 3.3.2.2.1). */
function contextsOf(settings: BrokerProvider['settings']): Element | undefined {
  const classes = listIn(settings.authnContextClassRefs);
  const declarations = listIn(settings.authnContextDeclRefs);
  if (classes.length + declarations.length === 0) return undefined;
  return {
    '@Comparison': settings.authnContextComparisonType?.trim().toLowerCase() || 'exact',
    // a request has one kind of them
    ...(classes.length > 0 ? { 'saml:AuthnContextClassRef': classes } : { 'saml:AuthnContextDeclRef': declarations }),
  };
}

/** The texts of a setting that is a JSON list. */
function listIn(setting: string | undefined): string[] {
  try {
    const list: unknown = JSON.parse(setting?.trim() || '[]');
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string' && one !== '') : [];
  } catch {
    return [];
  }
}
