import { defineEntity } from '../entity.ts'
import { boolean, enumeration, integer, json, string } from '../field/field.ts'

/** A dashboard or question of Metabase that the console embeds. */
export const report = defineEntity({
  name: 'report',
  type: 'Report',
  parent: 'level',
  icon: 'ChartColumn',
  fields: {
    name: string({ required: true }),
    type: enumeration(['dashboard', 'question'], { required: true, initial: 'dashboard' }),
    metabaseid: integer({ required: true, min: 1, max: 2_147_483_647 }),
    /** Shown under every bot. */
    global: boolean(),
    /** Slug → value, or one of the placeholders of `domain/report.ts`. All of them are locked. */
    parameters: json(),
  },
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'type' },
      { field: 'metabaseid', as: 'number' },
      { field: 'global', as: 'boolean' },
    ],
    search: ['name'],
  },
  form: [
    { id: 'general', fields: ['name', 'type', 'metabaseid', 'global'] },
    { id: 'parameters', fields: ['parameters'] },
  ],
  import: { key: ['name'] },
  place: { hub: { page: 'reports', order: 20 } },
})
