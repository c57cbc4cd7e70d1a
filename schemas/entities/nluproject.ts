import { defineEntity } from '../entity.ts'
import { boolean, enumeration, json, reference, string, text, time } from '../field/field.ts'
import { LANGUAGES } from '../language.ts'

const RUN_STATUSES = ['none', 'started', 'finished', 'failed'] as const

/** State and last result of training. Set by the server. */
export const trainingFields = {
  training_status: enumeration([...RUN_STATUSES], { initial: 'none', readonly: true }),
  training_started_at: time({ readonly: true }),
  /** User id. */
  training_started_by: string({ max: 64, readonly: true }),
  training_finished_at: time({ readonly: true }),
  /** Code of what ended it. */
  training_error: string({ max: 2000, readonly: true }),
}

/** Set by the server when a file is taken in. */
export const uploadFields = {
  upload_status: enumeration([...RUN_STATUSES], { initial: 'none', readonly: true }),
  uploaded_at: time({ readonly: true }),
}

/** Fields of a project of understanding, of tasks (`nluproject`) or of questions (`brain`). `name`: the entity. */
export const projectFields = (name: 'nluproject' | 'brain') => ({
  name: string({ required: true }),
  description: text({ max: 2000 }),
  locale: enumeration(LANGUAGES, { required: true, initial: 'pt' }),
  timezone: string({ max: 100, control: 'timezone', initial: 'America/Sao_Paulo' }),
  /** Its intents, entities and data are used where the project has none of that name. */
  inheritfrom: reference(name),
  ...trainingFields,
  ...uploadFields,
  /** [{id, number, created_at, trained_by, production, test, figures}], newest first. */
  models: json({ readonly: true, initial: [] }),
  /** Lines that a person reviewed and kept, [{line, as}]: `as` is the intent that a model chose. */
  reviewed: json({ readonly: true, initial: [] }),
})

export const PROJECT_FORM = [
  { id: 'general', fields: ['name', 'description', 'locale', 'timezone', 'inheritfrom'] },
  {
    id: 'training',
    fields: [
      'training_status',
      'training_started_at',
      'training_finished_at',
      'training_error',
      'upload_status',
      'uploaded_at',
    ],
  },
] as const

export const PROJECT_LIST = {
  columns: [
    { field: 'name', as: 'name' },
    { field: 'locale', as: 'tags' },
    { field: 'inheritfrom', as: 'reference' },
    { field: 'training_status', as: 'tags' },
    { field: 'training_finished_at', as: 'time' },
  ],
  search: ['name', 'description'],
} as const

const chosenModel = { model: string({ required: true, max: 64 }) }

/** A model is named by its hash, as `models` lists it. */
export const PROJECT_ACTIONS = {
  train: { icon: 'GraduationCap', on: ['page', 'row'], when: { training_status: ['none', 'finished', 'failed'] } },
  cancel: { icon: 'CircleX', on: ['page', 'row'], confirm: 'question', when: { training_status: ['started'] } },
  setproduction: { icon: 'Rocket', on: [], input: chosenModel },
  settest: { icon: 'FlaskConical', on: [], input: chosenModel },
  reviewline: {
    icon: 'Check',
    on: [],
    input: {
      line: string({ required: true, max: 64 }),
      as: string({ required: true }),
      done: boolean({ initial: true }),
    },
  },
} as const

export const PROJECT_PAGES = [
  { key: 'training', icon: 'GraduationCap' },
  { key: 'testnlu', icon: 'FlaskConical' },
] as const

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
