import { defineEntity } from '../entity.ts'
import { enumeration, json, reference, string } from '../field/field.ts'

export const DATA_TYPES = ['string', 'number', 'boolean', 'date', 'object', 'array'] as const

export const variable = defineEntity({
  name: 'variable',
  type: 'Variable',
  parent: 'bot',
  versioned: true,
  icon: 'Variable',
  fields: {
    bot: reference('bot', { required: true, fixed: true }),
    name: string({ required: true }),
    scope: enumeration(['dialog', 'conversation', 'user'], { initial: 'dialog' }),
    datatype: enumeration([...DATA_TYPES], { initial: 'string' }),
    schema: reference('variableschema'),
    customdata: json(),
    component: string(),
    task: reference('dialogtask'),
    dialog: reference('dialog'),
  },
  unique: [{ field: ['scope', 'name'], within: 'bot' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'scope', as: 'tags' },
      { field: 'datatype', as: 'tags' },
      { field: 'task', as: 'reference' },
      { field: 'dialog', as: 'reference' },
    ],
    search: ['name', 'component'],
  },
  form: [
    { id: 'general', fields: ['name', 'scope', 'datatype', 'schema', 'customdata'] },
    { id: 'use', fields: ['task', 'dialog', 'component'] },
  ],
  import: { key: ['name'] },
  place: { bot: { group: 'settings', order: 10 } },
})
