import { defineEntity } from '../entity.ts'
import { boolean, reference, string, strings, text } from '../field/field.ts'
import { DUPLICATE, UNTESTED } from './flow-action.ts'

export const dialogtask = defineEntity({
  name: 'dialogtask',
  type: 'DialogTask',
  parent: 'bot',
  versioned: true,
  children: [],
  icon: 'ListChecks',
  fields: {
    bot: reference('bot', { required: true, fixed: true }),
    name: string({ required: true }),
    description: text({ max: 2000 }),
    utterences: strings({ max: 500 }),
    principaldialog: reference('dialog'),
    showinmenu: boolean(),
    /** Why all of it was published although tests failed; null where none did. */
    untestedreason: text({ readonly: true }),
  },
  unique: [{ field: 'name', within: 'bot' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'principaldialog', as: 'reference' },
      { field: 'utterences', as: 'tags' },
      { field: 'showinmenu', as: 'boolean' },
    ],
    search: ['name', 'description', 'utterences'],
  },
  form: [
    { id: 'general', fields: ['name', 'description', 'principaldialog'] },
    { id: 'reach', fields: ['utterences', 'showinmenu'] },
  ],
  actions: {
    publishall: { icon: 'CloudUpload', on: ['bulk'] },
    publishuntested: { icon: 'CloudAlert', on: [], input: { reason: UNTESTED } },
    duplicate: DUPLICATE,
  },
  confirm: true,
  place: { bot: { group: 'bot', order: 20 } },
  page: 'own',
})
