import type { Attribute } from './attribute.js';
import { enterpriseAttributes, userAttributes } from './user-attributes.js';

/** A schema of resources, RFC 7643 section 7. */
export interface Schema {
  readonly urn: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
  /** whether any name is an attribute, with a list of texts */
  readonly hasFreeNames?: true;
}

type ResourceName = 'User' | 'Group';

/** A type of resources, RFC 7643 section 6. */
export interface ResourceType {
  readonly name: ResourceName;
  readonly endpoint: string;
  readonly description: string;
  readonly schema: Schema;
  readonly extensions: readonly Schema[];
}

/** The attributes of all resources, RFC 7643 section 3.1. */
export const commonAttributes: readonly Attribute[] = [
  {
    name: 'id',
    description: 'ID of the resource.',
    isCaseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'server',
  },
  {
    name: 'externalId',
    description: 'ID of the resource at the provisioning client.',
    isCaseExact: true,
    store: { attribute: 'scim.externalId' },
  },
  {
    name: 'meta',
    description: 'Type, time of creation, version, and address of the resource.',
    type: 'complex',
    mutability: 'readOnly',
    parts: [
      { name: 'resourceType', description: 'Type of the resource.', isCaseExact: true, mutability: 'readOnly' },
      { name: 'created', description: 'Time of creation.', type: 'dateTime', mutability: 'readOnly' },
      {
        name: 'location',
        description: 'Address of the resource.',
        type: 'reference',
        referenceTypes: ['uri'],
        isCaseExact: true,
        mutability: 'readOnly',
      },
      { name: 'version', description: 'ETag of the resource.', isCaseExact: true, mutability: 'readOnly' },
    ],
  },
];

const groupAttributes: readonly Attribute[] = [
  {
    name: 'displayName',
    description: 'Name of the group, unique among the groups with the same parent. New groups are at the top level.',
    isRequired: true,
    store: { field: 'name' },
  },
  {
    name: 'members',
    description: 'Users who are direct members of the group.',
    type: 'complex',
    isMultiValued: true,
    parts: [
      { name: 'value', description: 'ID of the user.', isCaseExact: true, mutability: 'immutable' },
      {
        name: '$ref',
        description: 'Address of the user.',
        type: 'reference',
        referenceTypes: ['User'],
        isCaseExact: true,
        mutability: 'immutable',
      },
      {
        name: 'display',
        description: 'Username. It is returned if `attributes` has `members.display`.',
        mutability: 'readOnly',
        returned: 'request',
      },
      { name: 'type', description: 'Always `User`.', canonicalValues: ['User'], mutability: 'immutable' },
    ],
  },
];

const enterpriseSchema: Schema = {
  urn: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  name: 'EnterpriseUser',
  description: 'Attributes of users in an organization.',
  attributes: enterpriseAttributes,
};

/** All other custom attributes of a user, each as a list of texts. */
export const customSchema: Schema = {
  urn: 'urn:realmgate:params:scim:schemas:extension:attributes:2.0:User',
  name: 'CustomAttributes',
  description: 'Custom attributes of the user that no other schema has, by their names. Each value is a list of texts.',
  attributes: [],
  hasFreeNames: true,
};

const userSchema: Schema = {
  urn: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'A user of the realm.',
  attributes: userAttributes,
};

const groupSchema: Schema = {
  urn: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'A group of the realm.',
  attributes: groupAttributes,
};

export const userType: ResourceType = {
  name: 'User',
  endpoint: '/Users',
  description: 'Users of the realm, without the service accounts of clients.',
  schema: userSchema,
  extensions: [enterpriseSchema, customSchema],
};

export const groupType: ResourceType = {
  name: 'Group',
  endpoint: '/Groups',
  description: 'Groups of the realm on all levels.',
  schema: groupSchema,
  extensions: [],
};

export const resourceTypes: readonly ResourceType[] = [userType, groupType];
export const schemas: readonly Schema[] = [userSchema, enterpriseSchema, customSchema, groupSchema];

/** The URN of the schema that a text is, in its usual case. */
export const isSchema = (text: string): string | undefined =>
  schemas.find(({ urn }) => urn.toLowerCase() === text.toLowerCase())?.urn;

/** The schema that a path starts with. */
export const schemaIn = (path: string): Schema | undefined =>
  schemas.find(({ urn }) => path.toLowerCase().startsWith(`${urn.toLowerCase()}:`));
