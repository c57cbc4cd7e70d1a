import { defineEntity } from '../entity.ts'
import { enumeration, list, reference, string, strings } from '../field/field.ts'

/** A kind of value that is found in what people say: learned from marked lines, listed, or built in. */
export const nluprojectentity = defineEntity({
  name: 'nluprojectentity',
  type: 'NluProjectEntity',
  parent: 'nluproject',
  icon: 'Tag',
  fields: {
    nluproject: reference('nluproject', { required: true, fixed: true }),
    name: string({ required: true }),
    type: enumeration(['learned', 'lookup', 'system'], { initial: 'learned' }),
    lookup_data: list(
      { value: string({ required: true, max: 500 }), synonyms: strings({ max: 500 }) },
      { maxItems: 10_000, when: { type: ['lookup', 'learned'] } },
    ),
  },
  unique: [{ field: 'name', within: 'nluproject' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'type', as: 'tags' },
    ],
    search: ['name', 'lookup_data'],
  },
  form: [
    { id: 'general', fields: ['name', 'type'] },
    { id: 'lookup', fields: ['lookup_data'] },
  ],
  place: {},
})
