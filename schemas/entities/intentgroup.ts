import { defineEntity } from '../entity.ts'
import { reference, string, strings } from '../field/field.ts'

/** Intents that a mapping treats alike. */
export const intentgroup = defineEntity({
  name: 'intentgroup',
  type: 'IntentGroup',
  parent: 'bot',
  icon: 'Layers',
  fields: {
    bot: reference('bot', { required: true, fixed: true }),
    name: string({ required: true }),
    /** Names of intents of the bot's project. */
    intents: strings({ offeredFrom: { through: ['bot', 'nluproject'], things: 'intent' } }),
  },
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'intents', as: 'tags' },
    ],
    search: ['name'],
  },
  form: [{ id: 'general', fields: ['name', 'intents'] }],
  import: { key: ['name'] },
  versioned: true,
  place: { bot: { group: 'settings', order: 90 } },
})
