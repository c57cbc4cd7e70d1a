import { defineEntity } from '../entity.ts'
import { boolean, reference, string, strings, text } from '../field/field.ts'
import { DUPLICATE } from './flow-action.ts'

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
  },
  unique: [{ field: 'name', within: 'bot' }],
  title: 'name',
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
  actions: { publishall: { icon: 'CloudUpload', on: ['bulk'] }, duplicate: DUPLICATE },
  confirm: true,
  place: { bot: { group: 'bot', order: 20 } },
  page: 'own',
})
