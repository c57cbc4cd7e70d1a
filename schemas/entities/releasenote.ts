import { defineEntity } from '../entity.ts'
import { integer, string, text } from '../field/field.ts'

export const releasenote = defineEntity({
  name: 'releasenote',
  type: 'ReleaseNote',
  parent: 'none',
  icon: 'Newspaper',
  fields: {
    name: string({ required: true }),
    major: integer({ min: 0, max: 1_000_000, required: true }),
    minor: integer({ min: 0, max: 1_000_000, required: true }),
    patch: integer({ min: 0, max: 1_000_000, required: true }),
    /** One per line. */
    improvement: text(),
    bugfix: text(),
  },
  unique: [{ field: ['major', 'minor', 'patch'], within: 'everywhere' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'major', as: 'number' },
      { field: 'minor', as: 'number' },
      { field: 'patch', as: 'number' },
      { field: 'improvement' },
    ],
    search: ['name', 'improvement', 'bugfix'],
  },
  form: [
    { id: 'general', fields: ['name', 'major', 'minor', 'patch'] },
    { id: 'content', fields: ['improvement', 'bugfix'] },
  ],
  place: { menu: { group: 'foot', order: 10 }, hub: { page: 'appsettings', order: 20 } },
})
