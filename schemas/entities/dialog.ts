import { defineEntity } from '../entity.ts'
import { reference, string, text, time } from '../field/field.ts'
import { FLOW_ACTIONS, PUBLISHING_FIELDS } from './flow-action.ts'

export const dialog = defineEntity({
  name: 'dialog',
  type: 'Dialog',
  parent: 'dialogtask',
  versioned: true,
  flow: { script: false },
  icon: 'Workflow',
  fields: {
    dialogtask: reference('dialogtask', { required: true, fixed: true }),
    name: string({ required: true }),
    description: text({ max: 2000 }),
    ...PUBLISHING_FIELDS,
    /** Until when a link to the draft works for people without an account; null: there is no link. */
    sharedraftuntil: time({ perEnvironment: true }),
  },
  unique: [{ field: 'name', within: 'dialogtask' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'published', as: 'status' },
      { field: 'published_at', as: 'time' },
    ],
    search: ['name', 'description'],
  },
  form: [
    { id: 'general', fields: ['name', 'description'] },
    { id: 'publishing', fields: ['published', 'publishedrevision', 'modified', 'published_at'] },
  ],
  actions: FLOW_ACTIONS,
  confirm: true,
})
