import { type MapperType, mapper, setting } from './provider.js';

/** Types of protocol mappers for saml. */
export const samlMappers: readonly MapperType[] = [
  mapper(
    'saml-audience-resolve-mapper',
    'Audience Resolve',
    'Audience mapper',
    0,
    'Adds as audience each client of which the user has a role.',
    [],
  ),
  mapper('saml-audience-mapper', 'Audience', 'Audience mapper', 0, 'Adds an audience.', [
    setting('included.client.audience', 'ClientList'),
    setting('included.custom.audience', 'String'),
  ]),
  mapper('saml-group-membership-mapper', 'Group list', 'Group Mapper', 0, 'Tells the groups of the user.', [
    setting('attribute.name', 'String', { defaultValue: 'member' }),
    setting('attribute.nameformat', 'List', { options: ['Basic', 'URI Reference', 'Unspecified'] }),
    setting('friendly.name', 'String'),
    setting('full.path', 'boolean', { defaultValue: 'true' }),
    setting('single', 'boolean', { defaultValue: 'true' }),
  ]),
  mapper(
    'saml-hardcode-attribute-mapper',
    'Hardcoded attribute',
    'AttributeStatement Mapper',
    0,
    'Tells the same for everyone.',
    [
      setting('attribute.name', 'String'),
      setting('attribute.nameformat', 'List', { options: ['Basic', 'URI Reference', 'Unspecified'] }),
      setting('attribute.value', 'String'),
      setting('friendly.name', 'String'),
    ],
  ),
  mapper('saml-hardcode-role-mapper', 'Hardcoded role', 'AttributeStatement Mapper', 0, 'Adds a role for everyone.', [
    setting('role', 'Role'),
  ]),
  mapper(
    'saml-javascript-mapper',
    'Javascript Mapper',
    'AttributeStatement Mapper',
    0,
    'Tells what a script computes.',
    [
      setting('Script', 'Script', { defaultValue: '// the value is what the last line gives' }),
      setting('attribute.name', 'String'),
      setting('attribute.nameformat', 'List', { options: ['Basic', 'URI Reference', 'Unspecified'] }),
      setting('friendly.name', 'String'),
      setting('single', 'boolean', { defaultValue: 'true' }),
    ],
  ),
  mapper('saml-role-name-mapper', 'Role Name Mapper', 'Role Mapper', 0, 'Calls a role by another name.', [
    setting('new.role.name', 'String'),
    setting('role', 'Role'),
  ]),
  mapper('saml-role-list-mapper', 'Role list', 'Role Mapper', 0, 'Tells the roles of the user.', [
    setting('attribute.name', 'String', { defaultValue: 'Role' }),
    setting('attribute.nameformat', 'List', { options: ['Basic', 'URI Reference', 'Unspecified'] }),
    setting('friendly.name', 'String'),
    setting('single', 'boolean', { defaultValue: 'true' }),
  ]),
  mapper(
    'saml-user-attribute-nameid-mapper',
    'User Attribute Mapper For NameID',
    'NameID Mapper',
    0,
    'Makes an attribute of the user the name id.',
    [
      setting('mapper.nameid.format', 'List', {
        options: [
          'urn:oasis:names:tc:SAML:1.1:nameid-format:WindowsDomainQualifiedName',
          'urn:oasis:names:tc:SAML:1.1:nameid-format:X509SubjectName',
          'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
          'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
          'urn:oasis:names:tc:SAML:2.0:nameid-format:entity',
          'urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos',
          'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
          'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
        ],
      }),
      setting('user.attribute', 'String'),
    ],
  ),
  mapper(
    'saml-user-attribute-mapper',
    'User Attribute',
    'AttributeStatement Mapper',
    0,
    'Tells an attribute of the user.',
    [
      setting('aggregate.attrs', 'boolean'),
      setting('attribute.name', 'String'),
      setting('attribute.nameformat', 'List', { options: ['Basic', 'URI Reference', 'Unspecified'] }),
      setting('friendly.name', 'String'),
      setting('user.attribute', 'String'),
    ],
  ),
  mapper(
    'saml-user-property-mapper',
    'User Property',
    'AttributeStatement Mapper',
    0,
    'Tells a field of the user, such as the user name.',
    [
      setting('attribute.name', 'String'),
      setting('attribute.nameformat', 'List', { options: ['Basic', 'URI Reference', 'Unspecified'] }),
      setting('friendly.name', 'String'),
      setting('user.attribute', 'String'),
    ],
  ),
  mapper(
    'saml-user-session-note-mapper',
    'User Session Note',
    'AttributeStatement Mapper',
    0,
    'Tells a note of the session.',
    [
      setting('attribute.name', 'String'),
      setting('attribute.nameformat', 'List', { options: ['Basic', 'URI Reference', 'Unspecified'] }),
      setting('friendly.name', 'String'),
      setting('note', 'String'),
    ],
  ),
];
