import { defineEntity } from '../entity.ts'
import { boolean, integer, reference, string, time } from '../field/field.ts'
import { META_ID } from './metaapp.ts'

/** A WhatsApp business account with one of its numbers. The connection test and webhooks read its state at Meta. */
export const metaaccount = defineEntity({
  name: 'metaaccount',
  type: 'MetaAccount',
  parent: 'metaapp',
  icon: 'MessageCircle',
  fields: {
    metaapp: reference('metaapp', { required: true, fixed: true }),
    name: string({ required: true }),
    /** Answers at the number; the app's own where it is empty. */
    bot: reference('bot', { onTargetRemoved: 'clear' }),
    /** WhatsApp business account. */
    waba_id: string({ required: true, max: 32, pattern: META_ID, rule: 'metaid' }),
    business_id: string({ max: 32, pattern: META_ID, rule: 'metaid' }),
    phone_number_id: string({ max: 32, pattern: META_ID, rule: 'metaid' }),
    /** Of a system user. */
    access_token: string({ secret: true, max: 2000 }),
    display_phone_number: string({ readonly: true }),
    verified_name: string({ readonly: true }),
    /** GREEN, YELLOW, RED or UNKNOWN. */
    quality_rating: string({ readonly: true }),
    /** LIVE or SANDBOX. */
    account_mode: string({ readonly: true }),
    /** As Meta writes it: TIER_250, TIER_2K, … TIER_UNLIMITED. */
    messaging_limit: string({ readonly: true }),
    throughput: string({ readonly: true }),
    /** The limit before Meta lowered it, and when; empty once it is as high again. */
    limit_before: string({ readonly: true }),
    limit_lowered_at: time({ readonly: true }),
    /** State of the number as Meta spells it: CONNECTED, FLAGGED, RESTRICTED, BANNED … */
    number_status: string({ readonly: true }),
    /** Restriction by Meta: BANNED, BAN_PLANNED, REMOVED, NO_ANSWERS, NO_TEMPLATES. Empty: none. */
    restriction: string({ readonly: true }),
    /** Moment at which that begins (BAN_PLANNED) or ends, as far as Meta says. */
    restriction_at: time({ readonly: true }),
    /** Most messages per second of all campaigns from this number; empty: what its throughput allows. */
    rate: integer({ min: 1, max: 1000, unit: '/s' }),
    /** The number is also used in the WhatsApp Business app, which lowers its throughput to 20 messages per second. */
    coexistence: boolean(),
    account_verified: boolean({ readonly: true }),
    number_verified: boolean({ readonly: true }),
    name_verified: boolean({ readonly: true }),
    /** The app is subscribed to the account. */
    webhook_subscribed: boolean({ readonly: true }),
    /** Something came over the app's webhook for this account. */
    webhook_received: boolean({ readonly: true }),
    checked_at: time({ readonly: true }),
  },
  unique: [{ field: 'name', within: 'metaapp' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'metaapp', as: 'reference' },
      { field: 'display_phone_number', as: 'text' },
      { field: 'account_mode', as: 'tags' },
      { field: 'quality_rating', as: 'tags' },
      { field: 'webhook_subscribed', as: 'boolean' },
      { field: 'checked_at', as: 'time' },
    ],
    search: ['name', 'waba_id', 'phone_number_id', 'display_phone_number', 'verified_name'],
  },
  form: [
    {
      id: 'general',
      fields: [
        'metaapp',
        'name',
        'bot',
        'waba_id',
        'business_id',
        'phone_number_id',
        'access_token',
        'rate',
        'coexistence',
      ],
    },
    {
      id: 'number',
      fields: [
        'display_phone_number',
        'verified_name',
        'account_mode',
        'quality_rating',
        'messaging_limit',
        'throughput',
        'limit_before',
        'limit_lowered_at',
        'number_status',
        'restriction',
        'restriction_at',
        'checked_at',
      ],
    },
    {
      id: 'flags',
      fields: ['account_verified', 'number_verified', 'name_verified', 'webhook_subscribed', 'webhook_received'],
    },
  ],
  probes: ['test', 'subscribe', 'requestcode', 'verifycode', 'registernumber', 'synctemplates'],
  page: 'own',
  place: { listUnder: 'metaapp', hub: { page: 'campaignmanagement', order: 30 } },
})
