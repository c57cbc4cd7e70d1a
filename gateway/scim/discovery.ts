import type { JsonObject } from '#schemas/event.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const CORE = 'urn:ietf:params:scim:schemas:core:2.0'

interface AttributeOptions {
  readonly required?: boolean
  readonly caseExact?: boolean
  readonly mutability?: 'readOnly' | 'readWrite'
  readonly uniqueness?: 'none' | 'server'
  readonly multiValued?: boolean
  readonly subAttributes?: readonly JsonObject[]
}

const attribute = (name: string, type: string, description: string, options: AttributeOptions = {}): JsonObject => ({
  name,
  type,
  multiValued: options.multiValued ?? false,
  description,
  required: options.required ?? false,
  caseExact: options.caseExact ?? false,
  mutability: options.mutability ?? 'readWrite',
  returned: 'default',
  uniqueness: options.uniqueness ?? 'none',
  ...(options.subAttributes === undefined ? {} : { subAttributes: [...options.subAttributes] }),
})

const readOnly = { mutability: 'readOnly' } as const

const USER_ATTRIBUTES = [
  attribute('userName', 'string', 'Name to sign in with', { required: true, uniqueness: 'server' }),
  attribute('externalId', 'string', 'Id at the identity provider', { caseExact: true, uniqueness: 'server' }),
  attribute('name', 'complex', 'Names of the person', {
    subAttributes: [
      attribute('givenName', 'string', 'First name'),
      attribute('familyName', 'string', 'Last name'),
      attribute('formatted', 'string', 'Both names', readOnly),
    ],
  }),
  attribute('emails', 'complex', 'One address: the primary one, else that of work', {
    multiValued: true,
    subAttributes: [
      attribute('value', 'string', 'Address', { uniqueness: 'server' }),
      attribute('type', 'string', 'work', readOnly),
      attribute('primary', 'boolean', 'true', readOnly),
    ],
  }),
  attribute('locale', 'string', 'Language of the console: en, pt or es'),
  attribute('active', 'boolean', 'Whether the person can sign in: false locks and ends sessions'),
  attribute('groups', 'complex', 'Groups of the person', {
    ...readOnly,
    multiValued: true,
    subAttributes: [
      attribute('value', 'string', 'Id of the group', readOnly),
      attribute('$ref', 'reference', 'Address of the group', readOnly),
      attribute('display', 'string', 'Name of the group', readOnly),
    ],
  }),
]

const GROUP_ATTRIBUTES = [
  attribute('displayName', 'string', 'Name of the group', { required: true, uniqueness: 'server' }),
  attribute('externalId', 'string', 'Identified by: how the provider names the group', { caseExact: true }),
  attribute('members', 'complex', 'People in the group', {
    multiValued: true,
    subAttributes: [
      attribute('value', 'string', 'Id of the person'),
      attribute('$ref', 'reference', 'Address of the person', readOnly),
      attribute('type', 'string', 'User', readOnly),
    ],
  }),
]

/** Resources that describe the interface. `base`: its address. */
export const discoveryOf = (base: string) => {
  const located = (resourceType: string, path: string, body: JsonObject): JsonObject => ({
    ...body,
    meta: { resourceType, location: `${base}/${path}` },
  })
  const schemaOf = (id: string, name: string, description: string, attributes: readonly JsonObject[]) =>
    located('Schema', `Schemas/${id}`, {
      schemas: [`${CORE}:Schema`],
      ...{ id, name, description },
      attributes: [...attributes],
    })
  const typeOf = (name: string, endpoint: string, schema: string, description: string) =>
    located('ResourceType', `ResourceTypes/${name}`, {
      schemas: [`${CORE}:ResourceType`],
      ...{ id: name, name, endpoint, schema, description },
    })
  const no = { supported: false }
  return {
    config: located('ServiceProviderConfig', 'ServiceProviderConfig', {
      schemas: [`${CORE}:ServiceProviderConfig`],
      patch: { supported: true },
      bulk: { ...no, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: 100 },
      changePassword: no,
      sort: no,
      etag: no,
      authenticationSchemes: [
        {
          type: 'oauthbearertoken',
          name: 'API token',
          description: 'Token of a service account with the permission scim',
          specUri: 'https://www.rfc-editor.org/info/rfc6750',
          primary: true,
        },
      ],
    }),
    schemas: [
      schemaOf(USER_SCHEMA, 'User', 'A person who signs in', USER_ATTRIBUTES),
      schemaOf(GROUP_SCHEMA, 'Group', 'A user group that an identity provider fills', GROUP_ATTRIBUTES),
    ],
    resourceTypes: [
      typeOf('User', '/Users', USER_SCHEMA, 'A person who signs in'),
      typeOf('Group', '/Groups', GROUP_SCHEMA, 'A user group that an identity provider fills'),
    ],
  }
}
