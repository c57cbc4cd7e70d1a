import { defineEntity } from '../entity.ts'
import { boolean, json, string } from '../field/field.ts'
import { PROJECT_ACTIONS, PROJECT_FORM, PROJECT_LIST, PROJECT_PAGES, projectFields } from './nlu-project-fields.ts'

/** Knowledge of bots: intents with statements, entities, synonyms, patterns, and the models trained from them. */
export const nluproject = defineEntity({
  name: 'nluproject',
  type: 'NluProject',
  parent: 'level',
  icon: 'FolderKanban',
  fields: {
    ...projectFields('nluproject'),
    /** Messages that need no label: hashes that `GET /nluproject/{id}/unrecognized` names lines by. */
    dismissed: json({ readonly: true, initial: [] }),
  },
  unique: [{ field: 'name', within: 'level' }],
  title: 'name',
  list: PROJECT_LIST,
  form: PROJECT_FORM,
  children: ['intent', 'nluprojectentity', 'synonym', 'regex', 'story'],
  actions: {
    ...PROJECT_ACTIONS,
    dismissline: {
      icon: 'EyeOff',
      on: [],
      input: { line: string({ required: true, max: 64 }), done: boolean({ initial: true }) },
    },
  },
  confirm: true,
  page: 'own',
  pages: [...PROJECT_PAGES, { key: 'unrecognized', icon: 'MessageCircleQuestionMark', permission: 'readconversation' }],
  place: { menu: { group: 'build', order: 14 }, hub: { page: 'nlu', order: 10 } },
})
