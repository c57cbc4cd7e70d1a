import { list, string, text } from '../field/field.ts'

/** Lines of one intent. */
const MAX_STATEMENTS = 10_000
/** Characters of a line, its marks included. */
const MAX_STATEMENT_LENGTH = 2000

/** Statements of people, and a bot's responses. */
export const intentFields = {
  name: string({ required: true }),
  description: text({ max: 2000 }),
  /** Entities are marked in the text: `[value](entity)`. */
  statements: list({ text: string({ required: true, max: MAX_STATEMENT_LENGTH }) }, { maxItems: MAX_STATEMENTS }),
  responses: list({ text: text({ required: true, max: 4000 }) }, { maxItems: 100 }),
}

export const INTENT_FORM = [
  { id: 'general', fields: ['name', 'description'] },
  { id: 'statements', fields: ['statements'], address: 'statementdesigner' },
  { id: 'responses', fields: ['responses'], address: 'responsedesigner' },
] as const

/** Columns and search fields of intent lists. */
export const INTENT_LIST = {
  columns: [
    { field: 'name', as: 'name' },
    { field: 'description', as: 'text' },
  ],
  search: ['name', 'description', 'statements'],
} as const
