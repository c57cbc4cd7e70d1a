import { defineEntity } from '../entity.ts'
import { boolean, enumeration, json, reference, string, text } from '../field/field.ts'

/** A conversation as it is to go, run against the bot's drawings and, where it gates, before anything is published. */
export const conversationtest = defineEntity({
  name: 'conversationtest',
  type: 'ConversationTest',
  parent: 'bot',
  icon: 'FlaskConical',
  fields: {
    bot: reference('bot', { required: true, fixed: true }),
    name: string({ required: true }),
    description: text({ max: 2000 }),
    /** Nothing is published while it fails. */
    gating: boolean({ initial: true }),
    /** Its origin. */
    source: enumeration(['written', 'simulation', 'conversation', 'import'], { initial: 'written' }),
    /** `parley-test` in YAML or JSON (docs/api-runtime.md). */
    file: text({ required: true, max: 262_144, words: true }),
    /** {passed, revision, time, step?, ms}: of the last run; revision is that of the drawing where it began. */
    last: json({ readonly: true }),
  },
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'gating', as: 'boolean' },
      { field: 'source', as: 'tags' },
    ],
    search: ['name', 'description', 'file'],
  },
  form: [
    { id: 'general', fields: ['name', 'description', 'gating'] },
    { id: 'file', fields: ['file'], control: 'test-file' },
  ],
  actions: { run: { icon: 'Play', on: ['page', 'row', 'bulk'] } },
  import: { key: ['name'] },
  versioned: true,
  place: { bot: { group: 'bot', order: 35 } },
  page: 'own',
})
