const saml = 'urn:oasis:names:tc:SAML';

/** Namespaces of elements. */
export const namespaces = {
  protocol: `${saml}:2.0:protocol`,
  assertion: `${saml}:2.0:assertion`,
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  encryption: 'http://www.w3.org/2001/04/xmlenc#',
  soap: 'http://schemas.xmlsoap.org/soap/envelope/',
} as const;

/** Bindings (SAML 2.0 bindings, section 3). */
export const bindings = {
  post: `${saml}:2.0:bindings:HTTP-POST`,
  redirect: `${saml}:2.0:bindings:HTTP-Redirect`,
  artifact: `${saml}:2.0:bindings:HTTP-Artifact`,
  soap: `${saml}:2.0:bindings:SOAP`,
} as const;

/** Status codes (SAML 2.0 core, section 3.2.2.2). */
export const statuses = {
  success: `${saml}:2.0:status:Success`,
  requester: `${saml}:2.0:status:Requester`,
  responder: `${saml}:2.0:status:Responder`,
  invalidNameIdPolicy: `${saml}:2.0:status:InvalidNameIDPolicy`,
  noAuthnContext: `${saml}:2.0:status:NoAuthnContext`,
  noPassive: `${saml}:2.0:status:NoPassive`,
  partialLogout: `${saml}:2.0:status:PartialLogout`,
  requestDenied: `${saml}:2.0:status:RequestDenied`,
  requestUnsupported: `${saml}:2.0:status:RequestUnsupported`,
  unknownPrincipal: `${saml}:2.0:status:UnknownPrincipal`,
  unsupportedBinding: `${saml}:2.0:status:UnsupportedBinding`,
} as const;

/** Formats of a NameID (SAML 2.0 core, section 8.3) that users can be named by. */
export const nameIdFormats = {
  unspecified: `${saml}:1.1:nameid-format:unspecified`,
  email: `${saml}:1.1:nameid-format:emailAddress`,
  persistent: `${saml}:2.0:nameid-format:persistent`,
  transient: `${saml}:2.0:nameid-format:transient`,
} as const;

/** Formats of the names of attributes (SAML 2.0 core, section 8.2), as the settings of mappers call them. */
export const attributeNameFormats: Readonly<Record<string, string>> = {
  Basic: `${saml}:2.0:attrname-format:basic`,
  'URI Reference': `${saml}:2.0:attrname-format:uri`,
  Unspecified: `${saml}:2.0:attrname-format:unspecified`,
};

/** How the user of an assertion is known to be its bearer (SAML 2.0 profiles, section 3.3). */
export const bearer = `${saml}:2.0:cm:bearer`;
/** Says nothing of the means by which a user was authenticated (SAML 2.0 authentication context, section 3.4.25). */
export const unspecifiedContext = `${saml}:2.0:ac:classes:unspecified`;
