import { defineEntity } from '../entity.ts'
import { json, string, text } from '../field/field.ts'

/** People chosen by a rule (schemas/segment-rule.ts), among the contacts of its level and of the levels below. */
export const segment = defineEntity({
  name: 'segment',
  type: 'Segment',
  parent: 'level',
  icon: 'Filter',
  fields: {
    name: string({ required: true, max: 200 }),
    description: text({ max: 1000 }),
    rule: json({ required: true, control: 'segmentrule' }),
  },
  unique: [{ field: 'name', within: 'level' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'description', as: 'text' },
    ],
    search: ['name', 'description'],
  },
  form: [{ id: 'general', fields: ['name', 'description', 'rule'] }],
  place: { hub: { page: 'campaignmanagement', order: 14 } },
})
