import { defineEntity } from '../entity.ts'
import { list, reference, string, text } from '../field/field.ts'

/** Lines of one intent. */
const MAX_STATEMENTS = 10_000
/** Characters of a line, its marks included. */
const MAX_STATEMENT_LENGTH = 2000

/** Statements of people, and a bot's responses. */
const intentFields = {
  name: string({ required: true }),
  description: text({ max: 2000 }),
  /** Entities are marked in the text: `[value](entity)`. */
  statements: list({ text: string({ required: true, max: MAX_STATEMENT_LENGTH }) }, { maxItems: MAX_STATEMENTS }),
  responses: list({ text: text({ required: true, max: 4000 }) }, { maxItems: 100 }),
}

const shared = {
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'description', as: 'text' },
    ],
    search: ['name', 'description', 'statements'],
  },
  form: [
    { id: 'general', fields: ['name', 'description'] },
    { id: 'statements', fields: ['statements'], address: 'statementdesigner' },
    { id: 'responses', fields: ['responses'], address: 'responsedesigner' },
  ],
  page: 'own',
  place: {},
} as const

/** An intent, with its statements. */
export const intent = defineEntity({
  name: 'intent',
  type: 'Intent',
  parent: 'nluproject',
  icon: 'Target',
  fields: { nluproject: reference('nluproject', { required: true, fixed: true }), ...intentFields },
  unique: [{ field: 'name', within: 'nluproject' }],
  ...shared,
})

/** A question of a brain, with the ways of asking it and its answers. */
export const nluintent = defineEntity({
  name: 'nluintent',
  type: 'NluIntent',
  parent: 'brain',
  icon: 'MessageCircleQuestionMark',
  fields: { brain: reference('brain', { required: true, fixed: true }), ...intentFields },
  unique: [{ field: 'name', within: 'brain' }],
  ...shared,
})
