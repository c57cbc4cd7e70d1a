import { defineEntity } from '../entity.ts'
import { string, strings } from '../field/field.ts'

/** Permissions under a name: `actions` one by one (`readbot`), `services` as whole entities (`bot`: every action on it). */
export const role = defineEntity({
  name: 'role',
  type: 'Role',
  parent: 'level',
  icon: 'KeyRound',
  fields: {
    name: string({ required: true }),
    actions: strings({ max: 100 }),
    services: strings({ max: 100 }),
  },
  unique: [{ field: 'name', within: 'level' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'actions', as: 'permissions' },
      { field: 'services', as: 'permissions' },
    ],
    search: ['name'],
  },
  form: [
    { id: 'general', fields: ['name'] },
    {
      id: 'access',
      fields: ['services', 'actions'],
      control: 'permission-matrix',
      address: 'actionandservices',
    },
  ],
  confirm: true,
  place: { hub: { page: 'admin', order: 30 } },
})
