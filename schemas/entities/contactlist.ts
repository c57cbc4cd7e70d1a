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
    /** Not `description`, which lists show under the name: its column has the size of the list too. */
    purpose: text({ max: 1000 }),
  },
  unique: [{ field: 'name', within: 'level' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'purpose', as: 'text' },
    ],
    search: ['name', 'purpose'],
  },
  form: [{ id: 'general', fields: ['name', 'purpose'] }],
  confirm: true,
  page: 'own',
  pages: [{ key: 'settings', icon: 'Settings', permission: 'readcontactlist' }],
  place: { hub: { page: 'campaignmanagement', order: 12 } },
})
