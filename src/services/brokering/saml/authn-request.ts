import type { Element } from '../../core/xml.js';
import { type Message, parametersOf } from '../../saml/messages.js';
import { bindings, nameIdFormats } from '../../saml/names.js';
import type { SentRequest, UpstreamWishes } from '../authorization-request.js';
import type { BrokerProvider } from '../provider.js';
import type { ProviderAddress } from '../provider-address.js';
import type { Upstream } from '../provider-context.js';
import { isOn } from '../provider-settings.js';
import { redirectUri } from '../redirect-uri.js';
import { contextElement, wantedContexts } from './authn-context.js';
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
    content: contentOf(upstream, provider, sent, wishes),
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

function contentOf(
  upstream: Upstream,
  provider: BrokerProvider,
  { forcedAt }: SentRequest,
  { prompt = '', loginHint }: UpstreamWishes,
): Element {
  const { settings, alias } = provider;
  const format = nameIdFormatOf(provider);
  const isSilent = prompt.split(' ').includes('none');
  const service = settings.attributeConsumingServiceIndex?.trim();
  const contexts = wantedContexts(settings);
  const isTransient = format === nameIdFormats.transient;
  return {
    '@AssertionConsumerServiceURL': redirectUri(upstream.baseUrl, upstream.realm.name, alias),
    '@ProtocolBinding': isOn(settings.postBindingResponse) ? bindings.post : bindings.redirect,
    ...(forcedAt !== undefined && { '@ForceAuthn': 'true' }),
    ...(isSilent && { '@IsPassive': 'true' }),
    ...(service && { '@AttributeConsumingServiceIndex': service }),
    ...(isOn(settings.loginHint) &&
      loginHint !== undefined && { 'saml:Subject': { 'saml:NameID': { '@Format': format, '#': loginHint } } }),
    'samlp:NameIDPolicy': {
      '@Format': format,
      // a name that is made for one login needs nobody's leave
      ...(!isTransient && { '@AllowCreate': String(settings.allowCreate !== 'false') }),
    },
    ...(contexts && { 'samlp:RequestedAuthnContext': contextElement(contexts) }),
  };
}
