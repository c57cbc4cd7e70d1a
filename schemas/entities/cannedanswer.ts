import { defineEntity } from '../entity.ts'
import { enumeration, file, list, reference, references, string, text } from '../field/field.ts'
import { FILE_TYPES } from '../field/file-type.ts'

/** Bytes of a file that an agent sends. */
const MAX_BYTES = 16 * 1_048_576

/** A text that agents insert by its shortcut, with values such as `{person.name}` filled in. */
export const cannedanswer = defineEntity({
  name: 'cannedanswer',
  type: 'CannedAnswer',
  parent: 'level',
  maxInLevel: 2_000,
  icon: 'MessageSquareQuote',
  fields: {
    shortcut: string({ required: true, max: 40, pattern: /^[a-z0-9_-]{1,40}$/, rule: 'shortname' }),
    text: text({ required: true, max: 4000 }),
    locale: enumeration(['en', 'pt', 'es', 'any'], { initial: 'any' }),
    attachments: list({ file: file(FILE_TYPES, { required: true, maxBytes: MAX_BYTES }) }, { maxItems: 3 }),
    /** Empty: all queues. */
    queues: references('deskqueue', { onTargetRemoved: 'clear' }),
    /** Empty: everyone's. */
    owner: reference('user', { onTargetRemoved: 'clear' }),
  },
  title: 'shortcut',
  list: {
    columns: [
      { field: 'shortcut', as: 'name' },
      { field: 'text' },
      { field: 'locale', as: 'tags' },
      { field: 'queues', as: 'tags' },
      { field: 'owner', as: 'person' },
    ],
    level: true,
    search: ['shortcut', 'text'],
  },
  form: [
    { id: 'general', fields: ['shortcut', 'text', 'locale', 'attachments'] },
    { id: 'audience', fields: ['queues', 'owner'] },
  ],
  place: { menu: { group: 'serve', order: 30 }, permission: 'readcannedanswer' },
})
