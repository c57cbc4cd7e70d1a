import { defineEntity } from '../entity.ts'
import { PROJECT_ACTIONS, PROJECT_FORM, PROJECT_LIST, PROJECT_PAGES, projectFields } from './nluproject.ts'

/** Questions that a bot answers outside its dialogs. */
export const brain = defineEntity({
  name: 'brain',
  type: 'Brain',
  parent: 'level',
  icon: 'Brain',
  fields: projectFields('brain'),
  unique: [{ field: 'name', within: 'level' }],
  list: PROJECT_LIST,
  form: PROJECT_FORM,
  children: ['nluintent'],
  actions: PROJECT_ACTIONS,
  confirm: true,
  page: 'own',
  pages: PROJECT_PAGES,
  place: { menu: { group: 'build', order: 18 }, hub: { page: 'nlu', order: 30 } },
})
