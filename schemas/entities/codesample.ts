import { defineEntity } from '../entity.ts'
import { code, markdown, string, text } from '../field/field.ts'

export const codesample = defineEntity({
  name: 'codesample',
  type: 'CodeSample',
  parent: 'level',
  icon: 'CodeXml',
  fields: {
    name: string({ required: true }),
    description: text({ max: 2000 }),
    code: code(),
    markdown_doc: markdown(),
  },
  list: {
    columns: [{ field: 'name', as: 'name' }, { field: 'description' }],
    search: ['name', 'description'],
  },
  form: [
    { id: 'general', fields: ['name', 'description'] },
    { id: 'content', fields: ['code', 'markdown_doc'] },
  ],
  import: { key: ['name'] },
  reading: ['description', 'code', 'markdown_doc'],
  place: { menu: { group: 'build', order: 30 }, permission: 'showcodesample' },
})
