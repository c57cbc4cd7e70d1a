import { defineEntity } from '../entity.ts'
import { list, reference, string, strings } from '../field/field.ts'

/** The values that an NLU entity may have in a bot, each with what people call it. */
export const entityvaluepair = defineEntity({
  name: 'entityvaluepair',
  type: 'EntityValuePair',
  parent: 'bot',
  icon: 'ListTree',
  fields: {
    bot: reference('bot', { required: true, fixed: true }),
    name: string({ required: true }),
    entity: string({ required: true }),
    values: list({ value: string({ required: true }), title: string(), synonyms: strings() }, { maxItems: 1000 }),
  },
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'entity', as: 'code' },
    ],
    search: ['name', 'entity'],
  },
  form: [
    { id: 'general', fields: ['name', 'entity'] },
    { id: 'values', fields: ['values'] },
  ],
  import: { key: ['name'] },
  versioned: true,
  place: { bot: { group: 'settings', order: 110 } },
})
