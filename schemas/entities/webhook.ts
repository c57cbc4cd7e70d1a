import { defineEntity } from '../entity.ts'
import { boolean, enumeration, reference, references, string, strings, text, time, url } from '../field/field.ts'
import { PUBLIC_TYPES } from '../public-event.ts'

const [FIRST_TYPE = '', ...OTHER_TYPES] = PUBLIC_TYPES

export const WEBHOOK_STATES = ['working', 'failing', 'off'] as const

/** An address that receives events of its level and the levels below, signed as Standard Webhooks are. */
export const webhook = defineEntity({
  name: 'webhook',
  type: 'Webhook',
  parent: 'level',
  maxInLevel: 50,
  icon: 'Webhook',
  fields: {
    name: string({ required: true, max: 100 }),
    url: url({ required: true, isSigned: true }),
    enable: boolean({ initial: true }),
    /** Empty: all kinds. */
    types: strings({ options: [FIRST_TYPE, ...OTHER_TYPES] }),
    /** Empty: all bots, and events of no bot. */
    bots: references('bot', { onTargetRemoved: 'clear' }),
    values: boolean(),
    /** With personal values of users, while the owner has `sendpersonal`. */
    personal: boolean({ when: { values: [true] } }),
    /** Why; a line of the audit for each batch repeats it. */
    personal_reason: text({ required: true, max: 500, when: { values: [true], personal: [true] } }),
    /** One event at a time: the next waits until it arrived. */
    ordered: boolean(),
    /** The user who saved it last, whose rights decide what is sent. */
    owner: reference('user', { readonly: true, onTargetRemoved: 'clear' }),
    state: enumeration([...WEBHOOK_STATES], { readonly: true, initial: 'working' }),
    /** Why it was turned off. */
    off_reason: enumeration(['gone', 'dead'], { readonly: true }),
    /** `whsec_…`, after a rotation two with a space between them: the new one first. */
    secret: string({ secret: true, readonly: true, max: 200 }),
    /** Until then both sign. */
    secret_until: time({ readonly: true }),
  },
  unique: [{ field: 'name', within: 'level' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'url', as: 'code' },
      { field: 'state', as: 'status' },
      { field: 'enable', as: 'boolean' },
    ],
    search: ['name', 'url'],
  },
  form: [
    { id: 'general', fields: ['name', 'url', 'enable', 'state', 'off_reason', 'owner'] },
    { id: 'events', fields: ['types', 'bots', 'values', 'personal', 'personal_reason', 'ordered'] },
    { id: 'signature', fields: ['secret', 'secret_until'] },
  ],
  actions: {
    /** Answers the new secret; the old one signs for 24 hours too. */
    rotate: { icon: 'RefreshCw', on: ['page'], confirm: 'question' },
  },
  probes: ['test'],
  place: { hub: { page: 'appsettings', order: 58 } },
  page: 'own',
})
