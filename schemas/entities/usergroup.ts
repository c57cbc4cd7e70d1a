import { defineEntity } from '../entity.ts'
import { reference, references, string } from '../field/field.ts'

/** People with the same roles. Includes the roles of all groups above. */
export const usergroup = defineEntity({
  name: 'usergroup',
  type: 'UserGroup',
  parent: 'level',
  icon: 'Users',
  fields: {
    name: string({ required: true }),
    identifiedby: string(),
    /** Highest level that the author of `identifiedby` administers: claims give the group to people of it and below alone. */
    identifiedfrom: string({ readonly: true, internal: true }),
    parent: reference('usergroup'),
    roles: references('role'),
  },
  unique: [{ field: 'name', within: 'level' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'identifiedby' },
      { field: 'parent', as: 'reference' },
      { field: 'roles', as: 'tags' },
    ],
    search: ['name', 'identifiedby'],
  },
  form: [
    { id: 'general', fields: ['name', 'identifiedby', 'parent'] },
    { id: 'access', fields: ['roles'] },
  ],
  confirm: true,
  place: { hub: { page: 'admin', order: 20 } },
  page: 'own',
})
