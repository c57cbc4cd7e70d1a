import { defineEntity } from '../entity.ts'
import { boolean, reference, string, text } from '../field/field.ts'
import { FLOW_ACTIONS, PUBLISHING_FIELDS } from './flow-action.ts'

export const handler = defineEntity({
  name: 'handler',
  type: 'Handler',
  parent: 'dialogtask',
  versioned: true,
  flow: { script: true },
  icon: 'SquareFunction',
  fields: {
    dialogtask: reference('dialogtask', { required: true, fixed: true }),
    name: string({ required: true }),
    description: text({ max: 2000 }),
    global: boolean(),
    slow: boolean(),
    ...PUBLISHING_FIELDS,
  },
  unique: [{ field: 'name', within: 'dialogtask' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'global', as: 'boolean' },
      { field: 'slow', as: 'boolean' },
      { field: 'published', as: 'status' },
      { field: 'published_at', as: 'time' },
    ],
    search: ['name', 'description'],
  },
  form: [
    { id: 'general', fields: ['name', 'description'] },
    { id: 'kind', fields: ['global', 'slow'] },
    { id: 'publishing', fields: ['published', 'publishedrevision', 'modified', 'published_at'] },
  ],
  actions: FLOW_ACTIONS,
  confirm: true,
})
