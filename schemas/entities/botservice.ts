import { defineEntity } from '../entity.ts'
import { enumeration, reference, string } from '../field/field.ts'

export const SERVICE_STATES = ['up', 'down', 'stopped'] as const

/** Reason of a service's state. */
export const SERVICE_STATUSES = [
  'ready',
  'stopped',
  'disabled',
  'silent',
  'store',
  'log',
  'release',
  'nlu',
  'behind',
] as const

/** A part that a bot runs with: its runtime, natural language, each of its channels. Its event is written when its state changes. */
export const botservice = defineEntity({
  name: 'botservice',
  type: 'BotService',
  parent: 'bot',
  icon: 'Server',
  writtenBy: 'system',
  fields: {
    bot: reference('bot', { required: true, fixed: true }),
    name: string({ readonly: true }),
    /** `runtime`, `nlu`, or type and id of a channel: `webchat:…`. */
    systemid: string({ readonly: true }),
    state: enumeration([...SERVICE_STATES], { readonly: true, initial: 'stopped' }),
    status: enumeration([...SERVICE_STATUSES], { readonly: true, initial: 'stopped' }),
    /** Of the program that ran it last. */
    buildversion: string({ readonly: true }),
  },
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'state', as: 'status' },
      { field: 'status', as: 'tags' },
      { field: 'buildversion', as: 'code' },
    ],
    search: ['name', 'systemid'],
  },
  form: [{ id: 'details', fields: ['name', 'systemid', 'state', 'status', 'buildversion'] }],
  versioned: { not: 'whether a part of a bot is up belongs to where it runs' },
  place: { bot: { group: 'bot', order: 45 } },
  page: 'own',
})
