import { defineEntity } from '../entity.ts'
import { boolean, reference, string, text } from '../field/field.ts'

export const globalvariable = defineEntity({
  name: 'globalvariable',
  type: 'GlobalVariable',
  parent: 'bot',
  withoutParent: 'level',
  versioned: true,
  icon: 'Globe',
  fields: {
    name: string({ required: true }),
    value: text({ secretWhen: 'secret', perEnvironment: true }),
    secret: boolean(),
    /** Narrows it to one bot. */
    bot: reference('bot', { fixed: true }),
  },
  unique: [
    { field: 'name', within: 'level' },
    { field: 'name', within: 'bot' },
  ],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'value', as: 'secret' },
      { field: 'secret', as: 'boolean' },
      { field: 'bot', as: 'reference' },
    ],
    search: ['name'],
  },
  form: [{ id: 'general', fields: ['name', 'value', 'secret', 'bot'] }],
  place: { hub: { page: 'appsettings', order: 10 }, bot: { group: 'settings', order: 30 } },
})
