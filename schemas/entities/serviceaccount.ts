import { defineEntity } from '../entity.ts'
import { boolean, reference, references, string, strings, text } from '../field/field.ts'

/** A program that calls the API with tokens. It has the rights of its groups, no password, and an owner who answers for it. */
export const serviceaccount = defineEntity({
  name: 'serviceaccount',
  type: 'ServiceAccount',
  parent: 'level',
  icon: 'Bot',
  fields: {
    name: string({ required: true, max: 100 }),
    description: text({ max: 2000 }),
    /** While this user is locked or removed, no token of the account is accepted. */
    owner: reference('user', { required: true }),
    usergroup: references('usergroup'),
    /** Addresses and networks that it calls from; any, if there is none. */
    addresses: strings({ max: 50, maxItems: 50 }),
    enabled: boolean({ initial: true }),
  },
  unique: [{ field: 'name', within: 'level' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'owner', as: 'person' },
      { field: 'usergroup', as: 'tags' },
      { field: 'enabled', as: 'boolean' },
    ],
    search: ['name', 'description'],
  },
  form: [
    { id: 'general', fields: ['name', 'description', 'owner', 'enabled'] },
    { id: 'access', fields: ['usergroup', 'addresses'] },
  ],
  children: [],
  place: { hub: { page: 'admin', order: 40 } },
})
