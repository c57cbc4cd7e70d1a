import { defineEntity } from '../entity.ts'
import { boolean, enumeration, string, text } from '../field/field.ts'

export const localemessage = defineEntity({
  name: 'localemessage',
  type: 'LocaleMessage',
  parent: 'level',
  icon: 'MessagesSquare',
  fields: {
    locale: enumeration(['en', 'pt'], { required: true, initial: 'pt' }),
    namespace: string(),
    code: string({ required: true }),
    message: text({ required: true }),
    enabled: boolean({ initial: true }),
  },
  unique: [{ field: ['locale', 'namespace', 'code'], within: 'level' }],
  title: 'code',
  list: {
    columns: [
      { field: 'code', as: 'name' },
      { field: 'locale', as: 'tags' },
      { field: 'namespace' },
      { field: 'message' },
      { field: 'enabled', as: 'boolean' },
    ],
    search: ['code', 'namespace', 'message'],
  },
  form: [
    { id: 'general', fields: ['locale', 'namespace', 'code', 'enabled'] },
    { id: 'content', fields: ['message'] },
  ],
  actions: {},
  confirm: false,
  import: { key: ['locale', 'namespace', 'code'] },
  page: 'own',
  place: { menu: { group: 'build', order: 20 }, permission: 'showlocalemessage' },
})
