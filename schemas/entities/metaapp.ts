import { defineEntity } from '../entity.ts'
import { reference, string } from '../field/field.ts'

/** Ids at Meta are decimal numbers that no number type holds. */
export const META_ID = /^\d{1,32}$/u

/** An app at Meta, through which accounts of WhatsApp are reached and heard. */
export const metaapp = defineEntity({
  name: 'metaapp',
  type: 'MetaApp',
  parent: 'level',
  icon: 'AppWindow',
  fields: {
    name: string({ required: true }),
    app_id: string({ required: true, max: 32, pattern: META_ID, rule: 'metaid' }),
    /** Configuration of an embedded signup. */
    config_id: string({ max: 32, pattern: META_ID, rule: 'metaid' }),
    /** Signs calls, and proves that a webhook comes from Meta. */
    app_client_secret: string({ secret: true, max: 500 }),
    bot_assigned: reference('bot', { onTargetRemoved: 'clear' }),
    /** Address that Meta calls. */
    webhook: string({ readonly: true, addressPath: '' }),
    /** Token that Meta sends to verify this address. */
    verify_token: string({ secret: true, max: 500 }),
  },
  unique: [{ field: 'name', within: 'level' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'app_id', as: 'code' },
      { field: 'bot_assigned', as: 'reference' },
    ],
    search: ['name', 'app_id', 'config_id'],
  },
  form: [
    { id: 'general', fields: ['name', 'app_id', 'config_id', 'app_client_secret', 'bot_assigned'] },
    { id: 'webhook', fields: ['webhook', 'verify_token'] },
  ],
  children: ['metaaccount'],
  place: { menu: { group: 'reach', order: 20 }, withCampaigns: { order: 28 } },
})
