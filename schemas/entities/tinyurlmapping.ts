import { defineEntity } from '../entity.ts'
import { integer, string, url } from '../field/field.ts'

/** A short address that redirects to a long one. The server makes the short one. */
export const tinyurlmapping = defineEntity({
  name: 'tinyurlmapping',
  type: 'TinyUrlMapping',
  parent: 'level',
  icon: 'Link2',
  fields: {
    name: string({ required: true }),
    original_url: url({ required: true }),
    shorturl: string({ readonly: true, max: 20, addressPath: '/botadmin/t/' }),
    hits: integer({ readonly: true, initial: 0, unversioned: true }),
  },
  unique: [{ field: 'shorturl', within: 'everywhere' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'shorturl', as: 'address' },
      { field: 'original_url' },
      { field: 'hits', as: 'number' },
    ],
    search: ['name', 'original_url', 'shorturl'],
  },
  form: [
    { id: 'general', fields: ['name', 'original_url'] },
    { id: 'address', fields: ['shorturl', 'hits'] },
  ],
  import: { key: ['name'] },
  place: { menu: { group: 'reach', order: 30 }, hub: { page: 'appsettings', order: 40 } },
})
