import { defineEntity } from '../entity.ts'
import { reference } from '../field/field.ts'
import { localemessage } from './localemessage.ts'

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
