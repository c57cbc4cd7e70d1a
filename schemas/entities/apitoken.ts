import { defineEntity } from '../entity.ts'
import { boolean, integer, reference, string, strings, time } from '../field/field.ts'

/**
 * A token of a service account, or a personal one of a user. Its id is the SHA-256 of the token, which is kept nowhere
 * (commands/people/token-text.ts). Its holder's rights, narrowed to `scopes` and to the levels at and below `level`.
 */
export const apitoken = defineEntity({
  name: 'apitoken',
  type: 'ApiToken',
  parent: 'serviceaccount',
  withoutParent: 'level',
  icon: 'KeyRound',
  fields: {
    /** Empty: a personal token of its maker. */
    serviceaccount: reference('serviceaccount', { fixed: true }),
    user: reference('user', { readonly: true }),
    name: string({ required: true, max: 100 }),
    /** Permissions; empty: all of its holder. */
    scopes: strings({ max: 100, maxItems: 1000, fixed: true }),
    /** At or below the holder's level, which is the default. */
    level: reference('hierarchy', { fixed: true }),
    expires: time({ required: true, fixed: true }),
    /** Requests a minute, where it is less than what all tokens may send. */
    rate: integer({ min: 1, max: 100_000, fixed: true }),
    /** First characters of the token. */
    prefix: string({ readonly: true, max: 20 }),
    revoked: boolean({ readonly: true }),
    expired: boolean({ readonly: true }),
    /** Of this node's read model, within five minutes. */
    last_used_at: time({ readonly: true, unversioned: true }),
    last_used_from: string({ readonly: true, unversioned: true }),
  },
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'prefix', as: 'code' },
      { field: 'serviceaccount', as: 'reference' },
      { field: 'user', as: 'person' },
      { field: 'level', as: 'reference' },
      { field: 'last_used_at', as: 'time' },
      { field: 'expires', as: 'time' },
      { field: 'revoked', as: 'boolean' },
    ],
    search: ['name', 'prefix'],
  },
  form: [
    { id: 'general', fields: ['name', 'serviceaccount', 'level', 'expires', 'rate'] },
    { id: 'scopes', fields: ['scopes'] },
    { id: 'state', fields: ['user', 'prefix', 'revoked', 'expired', 'last_used_at', 'last_used_from'] },
  ],
  actions: {
    revoke: { icon: 'Ban', on: ['page', 'row', 'bulk'], confirm: 'question', danger: true, when: { revoked: [false] } },
  },
  place: { menu: { group: 'run', order: 15 }, list: '/access' },
  page: 'own',
})
