import { defineEntity } from '../entity.ts'
import { list, string } from '../field/field.ts'

/** Settings of the desk for users at a level and all levels below that have none of their own. */
export const desksetting = defineEntity({
  name: 'desksetting',
  type: 'DeskSetting',
  parent: 'level',
  cardinality: 'optional',
  icon: 'Coffee',
  fields: {
    name: string(),
    /** Empty: the usual reasons. */
    pause_reasons: list(
      {
        key: string({ required: true, pattern: /^[a-z0-9_-]{1,40}$/, rule: 'shortname', max: 40 }),
        name: string({ required: true, max: 60 }),
      },
      { itemTitle: 'name', maxItems: 20 },
    ),
  },
  list: {
    columns: [{ field: 'name', as: 'name' }],
    level: true,
    search: ['name'],
  },
  form: [{ id: 'breaks', fields: ['name', 'pause_reasons'] }],
  place: { listUnder: 'deskqueue' },
})
