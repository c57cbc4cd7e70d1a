import { defineEntity } from '../entity.ts'
import { reference, string, strings } from '../field/field.ts'

/** Other words for a value: each of them is answered as the value. */
export const synonym = defineEntity({
  name: 'synonym',
  type: 'Synonym',
  parent: 'nluproject',
  icon: 'Equal',
  fields: {
    nluproject: reference('nluproject', { required: true, fixed: true }),
    value: string({ required: true }),
    synonyms: strings({ max: 500 }),
  },
  unique: [{ field: 'value', within: 'nluproject' }],
  title: 'value',
  list: {
    columns: [
      { field: 'value', as: 'name' },
      { field: 'synonyms', as: 'tags' },
    ],
    search: ['value', 'synonyms'],
  },
  form: [{ id: 'general', fields: ['value', 'synonyms'] }],
  import: { key: ['value'] },
  place: {},
})
