import { defineEntity } from '../entity.ts'
import { reference, string } from '../field/field.ts'

/** A pattern whose matches are values of an entity. */
export const regex = defineEntity({
  name: 'regex',
  type: 'Regex',
  parent: 'nluproject',
  icon: 'Regex',
  fields: {
    nluproject: reference('nluproject', { required: true, fixed: true }),
    name: string({ required: true }),
    entity: string({ required: true, offeredFrom: { through: ['nluproject'], things: 'nluprojectentity' } }),
    /** ECMAScript, without flags. */
    pattern: string({ required: true, max: 2000 }),
  },
  unique: [{ field: 'name', within: 'nluproject' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'entity', as: 'tags' },
      { field: 'pattern', as: 'code' },
    ],
    search: ['name', 'entity', 'pattern'],
  },
  form: [{ id: 'general', fields: ['name', 'entity', 'pattern'] }],
  import: { key: ['name'] },
  place: {},
})
