import { defineEntity } from '../entity.ts'
import { string, text } from '../field/field.ts'

/** A saved list of contacts of a level. Its contacts are an audience of their own (docs/adr/0025). */
export const contactlist = defineEntity({
  name: 'contactlist',
  type: 'ContactList',
  parent: 'level',
  icon: 'ListChecks',
  fields: {
    name: string({ required: true, max: 200 }),
    description: text({ max: 1000 }),
  },
  unique: [{ field: 'name', within: 'level' }],
  title: 'name',
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'description', as: 'text' },
    ],
    search: ['name', 'description'],
  },
  form: [{ id: 'general', fields: ['name', 'description'] }],
  actions: {},
  confirm: true,
  page: 'own',
  pages: [{ key: 'settings', icon: 'Settings', permission: 'readcontactlist' }],
  place: { hub: { page: 'campaignmanagement', order: 12 } },
})
