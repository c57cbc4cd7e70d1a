import { defineEntity } from '../entity.ts'
import { boolean, enumeration, integer, reference, string, text } from '../field/field.ts'

/** A hint that the web chat shows, in ascending order. */
export const usertip = defineEntity({
  name: 'usertip',
  type: 'UserTip',
  parent: 'bot',
  icon: 'Lightbulb',
  fields: {
    bot: reference('bot', { required: true, fixed: true }),
    name: string({ required: true }),
    message: text({ max: 2000, required: true }),
    locale: enumeration(['en', 'pt'], { initial: 'pt' }),
    enabled: boolean({ initial: true }),
    order: integer({ min: 0, max: 100_000 }),
  },
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'message' },
      { field: 'locale', as: 'tags' },
      { field: 'order', as: 'number' },
      { field: 'enabled', as: 'boolean' },
    ],
    search: ['name', 'message'],
  },
  form: [
    { id: 'general', fields: ['name', 'locale', 'order', 'enabled'] },
    { id: 'content', fields: ['message'] },
  ],
  import: { key: ['name', 'locale'] },
  versioned: true,
  place: { bot: { group: 'settings', order: 130 } },
})
