import { defineEntity } from '../entity.ts'
import { boolean, enumeration, integer, origins, reference, string, strings, text, url } from '../field/field.ts'

/** Where people reach a bot. The fields of a type are shown under it alone. */
export const channel = defineEntity({
  name: 'channel',
  type: 'Channel',
  parent: 'bot',
  icon: 'RadioTower',
  fields: {
    bot: reference('bot', { required: true, fixed: true }),
    type: enumeration(['webchat', 'rest'], { required: true, fixed: true, initial: 'webchat' }),
    /** The type's own where none is given. */
    name: string(),
    enable: boolean({ initial: true }),
    /** Path on the bot router at which the bot is reached: by messages, or by the page of a web chat. */
    webhook: string({ readonly: true, addressPath: '' }),
    channel_verify_token: string({ max: 2000, secret: true, when: { type: ['webchat', 'rest'] } }),
    channel_password: string({ max: 2000, secret: true, when: { type: ['rest'] } }),
    callback_url: url({ when: { type: ['rest'] } }),
    channel_origin: origins(),
    deny_attachment_types: strings({
      options: ['image/png', 'image/jpeg', 'image/gif', 'audio/mpeg', 'audio/wav', 'video/mpeg', 'application/pdf'],
    }),
    store_message: boolean({ initial: true }),
    parallel_execution_processes: integer({ min: 1, max: 1000 }),
    jobinterval: integer({ min: 0, max: 3_600_000, unit: 'ms' }),
    /** Kept for reference alone. */
    phonenumber: string({ max: 50 }),
    version: string({ max: 50 }),
    channel_extra_info: text({ max: 4000 }),
  },
  unique: [],
  title: 'name',
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'type', as: 'tags' },
      { field: 'enable', as: 'boolean' },
      { field: 'channel_origin' },
    ],
    search: ['name', 'phonenumber', 'channel_origin', 'channel_extra_info'],
  },
  form: [
    { id: 'general', fields: ['type', 'name', 'enable'] },
    {
      id: 'access',
      fields: [
        'webhook',
        'channel_verify_token',
        'callback_url',
        'channel_password',
        'channel_origin',
        'deny_attachment_types',
      ],
    },
    { id: 'work', fields: ['store_message', 'parallel_execution_processes', 'jobinterval'] },
    { id: 'reference', fields: ['phonenumber', 'version', 'channel_extra_info'] },
  ],
  actions: {},
  confirm: false,
  versioned: { not: 'where people reach a bot, and with which secrets, belongs to its installation' },
  place: { bot: { group: 'bot', order: 40 } },
})
