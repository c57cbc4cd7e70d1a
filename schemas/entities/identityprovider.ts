import { defineEntity } from '../entity.ts'
import { boolean, enumeration, reference, string, strings } from '../field/field.ts'

/** `create`: at the first sign-in alone. `always`: at each sign-in. */
const FOLLOWS = ['off', 'create', 'always'] as const

/**
 * Claims that can equal the `externalId` of a directory. An address or a name cannot: people change them, and a provider
 * gives the address of a leaver to a new person.
 */
const DIRECTORY_CLAIMS = ['off', 'sub', 'oid'] as const

/** The loopback is for tests and trials: other addresses need TLS. */
const ISSUER = /^(?:https:\/\/|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?:\/|$))[^\s?#@]*$/u

/** An OpenID Connect provider that people sign in with. Only at the root of the levels: what it says gives rights. */
export const identityprovider = defineEntity({
  name: 'identityprovider',
  type: 'IdentityProvider',
  parent: 'level',
  maxInLevel: 5,
  icon: 'Fingerprint',
  fields: {
    /** Shown on the sign-in page. */
    name: string({ required: true, max: 60 }),
    enable: boolean({ initial: true }),
    issuer: string({ required: true, max: 500, pattern: ISSUER, rule: 'issuer' }),
    client_id: string({ required: true, max: 500 }),
    client_secret: string({ max: 4000, secret: true }),
    scopes: string({ max: 500, initial: 'openid profile email' }),
    groupsclaim: string({ max: 200, initial: 'groups' }),
    usernameclaim: string({ max: 200, initial: 'preferred_username' }),
    /** Values of the claim `acr` that count as a second factor. */
    acr: strings({ maxItems: 20 }),
    linkbyemail: boolean(),
    /** Domains whose verified addresses are linked. */
    domains: strings({ maxItems: 50 }),
    /** Claim by which a first sign-in finds the user that `directory` made. */
    directoryclaim: enumeration([...DIRECTORY_CLAIMS], { initial: 'off' }),
    /** The service account with which the same provider makes users (SCIM). */
    directory: reference('serviceaccount', { required: true, when: { directoryclaim: ['sub', 'oid'] } }),
    create: boolean({ initial: true }),
    followgroups: enumeration([...FOLLOWS], { initial: 'always' }),
    followlevel: enumeration([...FOLLOWS], { initial: 'always' }),
  },
  unique: [{ field: 'name', within: 'level' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'issuer', as: 'code' },
      { field: 'client_id', as: 'code' },
      { field: 'enable', as: 'boolean' },
    ],
    search: ['name', 'issuer', 'client_id'],
  },
  form: [
    { id: 'provider', fields: ['name', 'enable', 'issuer', 'client_id', 'client_secret', 'scopes'] },
    { id: 'groups', fields: ['groupsclaim', 'followgroups', 'followlevel'] },
    { id: 'people', fields: ['usernameclaim', 'create', 'directoryclaim', 'directory', 'linkbyemail', 'domains'] },
    { id: 'secondfactor', fields: ['acr'] },
  ],
  probes: ['test'],
  confirm: true,
  place: { hub: { page: 'admin', order: 50 } },
  page: 'own',
})
