export { fieldLabel, valueWords } from './history/diff-texts.ts'
export { type FieldDetail, fieldRows } from './history/field-row.ts'
