import { defineEntity } from '../entity.ts'
import { boolean, integer, reference, string, text, time } from '../field/field.ts'
import { UNTESTED } from './flow-action.ts'

/** A bot as it was kept; its content is a version file in `versioncontent-<id>` (schemas/events/release.ts). */
export const version = defineEntity({
  name: 'version',
  type: 'Version',
  parent: 'bot',
  versioned: { not: 'a version holds no versions' },
  icon: 'PackageCheck',
  fields: {
    bot: reference('bot', { required: true, fixed: true }),
    name: string({ required: true }),
    description: text({ max: 2000 }),
    uploaded: boolean({ readonly: true }),
    latest: boolean({ readonly: true }),
    /** Place in the log at which the content was taken; null for an uploaded file. */
    position: string({ readonly: true }),
    /** Bytes of its version file. */
    size: integer({ min: 0, readonly: true, unit: 'bytes' }),
    /** SHA-256 of its version file, lower-case hex. */
    hash: string({ readonly: true }),
    applied_at: time({ readonly: true }),
    /** Why it was applied although tests failed; null where none did. */
    untestedreason: text({ readonly: true }),
  },
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'bot', as: 'reference' },
      { field: 'latest', as: 'boolean' },
      { field: 'uploaded', as: 'boolean' },
      { field: 'size', as: 'number' },
      { field: 'applied_at', as: 'time' },
    ],
    search: ['name', 'description'],
  },
  form: [
    { id: 'general', fields: ['name', 'description'] },
    { id: 'content', fields: ['uploaded', 'latest', 'size', 'applied_at'] },
  ],
  actions: {
    apply: { icon: 'History', on: [], confirm: 'typed' },
    publishuntested: { icon: 'History', on: [], confirm: 'typed', input: { reason: UNTESTED } },
  },
  confirm: true,
  place: {
    menu: { group: 'run', order: 20 },
    bot: { group: 'bot', order: 30, address: '/version/search?pid=' },
  },
  page: 'own',
})
