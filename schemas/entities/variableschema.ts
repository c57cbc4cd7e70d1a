import { defineEntity } from '../entity.ts'
import { jsonSchema, reference, string } from '../field/field.ts'

export const variableschema = defineEntity({
  name: 'variableschema',
  type: 'VariableSchema',
  parent: 'bot',
  versioned: true,
  icon: 'Braces',
  fields: {
    bot: reference('bot', { required: true, fixed: true }),
    name: string({ required: true }),
    schemajson: jsonSchema(),
  },
  list: { columns: [{ field: 'name', as: 'name' }], search: ['name'] },
  form: [{ id: 'general', fields: ['name', 'schemajson'] }],
  place: { bot: { group: 'settings', order: 20 } },
})
