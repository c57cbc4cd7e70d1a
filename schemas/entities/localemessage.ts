import { defineEntity } from '../entity.ts'
import { boolean, enumeration, reference, string, text } from '../field/field.ts'

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
  import: { key: ['locale', 'namespace', 'code'] },
  page: 'own',
  place: { menu: { group: 'build', order: 20 }, permission: 'showlocalemessage' },
})

const { fields, title, list, form, actions, confirm } = localemessage

/** A text of one bot, which wins over the general one with the same locale, namespace and code. */
export const botspecificlocalemessage = defineEntity({
  name: 'botspecificlocalemessage',
  type: 'BotSpecificLocaleMessage',
  parent: 'bot',
  icon: 'MessageSquareText',
  fields: { bot: reference('bot', { required: true, fixed: true }), ...fields },
  unique: [{ field: ['locale', 'namespace', 'code'], within: 'bot' }],
  title,
  list,
  form,
  actions,
  confirm,
  import: { key: ['locale', 'namespace', 'code'] },
  page: 'own',
  versioned: true,
  place: { bot: { group: 'settings', order: 60 } },
})
