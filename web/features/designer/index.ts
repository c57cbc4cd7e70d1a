export { type FieldDetail, fieldRows } from './history/field-row.ts'
export { fieldLabel, valueWords } from './history/value-words.ts'
