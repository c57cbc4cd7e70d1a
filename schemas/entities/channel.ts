import { CHANNEL_TYPE_NAMES, CHANNEL_TYPES, MICROSOFT_APP_TYPES } from '../channel-type.ts'
import { defineEntity } from '../entity.ts'
import {
  boolean,
  enumeration,
  integer,
  json,
  origins,
  reference,
  string,
  strings,
  text,
  time,
  url,
} from '../field/field.ts'
import { FILE_TYPES } from '../field/file-type.ts'
import { fieldsByType } from '../typed-fields.ts'

/** A secret of at most 4,000 characters: Meta's tokens have no fixed length. */
const secret = () => string({ max: 4000, secret: true })

/** Connects people to a bot. The fields of a type are shown under it alone. */
export const channel = defineEntity({
  name: 'channel',
  type: 'Channel',
  parent: 'bot',
  icon: 'RadioTower',
  fields: fieldsByType(CHANNEL_TYPES, {
    bot: reference('bot', { required: true, fixed: true }),
    type: enumeration(CHANNEL_TYPE_NAMES, { required: true, fixed: true, initial: 'webchat', tiles: true }),
    /** The type's own where none is given. */
    name: string(),
    enable: boolean({ initial: true }),
    /** Path on the bot router at which the bot is reached: by messages, or by the page of a web chat. */
    webhook: string({ readonly: true, addressPath: '' }),
    channel_verify_token: string({ max: 2000, secret: true }),
    verifytoken: string({ max: 2000, secret: true }),
    pagetoken: secret(),
    appid: string(),
    /** Of the app at Meta: the specification has no field for what its calls are signed with. */
    app_secret: string({ max: 2000, secret: true }),
    /** Meta approved the feature Human Agent for the app: agents write for 7 days after the person's last message. */
    human_agent: boolean(),
    /** Of Meta's Graph API, as v23.0; the adapter's own where it is empty. */
    graph_version: string({ max: 20, pattern: /^v\d{1,3}\.\d{1,2}$/, rule: 'graphversion' }),
    /** Account of Meta whose token, secret and number replace those of the channel. */
    metaaccount: reference('metaaccount', { onTargetRemoved: 'clear' }),
    account_id: string({ max: 500 }),
    auth_token: secret(),
    /** As the provider said when it was last asked; empty: it does not end, or the provider does not say. */
    token_ends: time({ readonly: true }),
    /** Announced by the provider: {code, at, reason, announced}, `code` as the `restriction` of an account. Empty: none. */
    restriction: json({ readonly: true }),
    username: string(),
    password: secret(),
    media_id: string({ max: 500 }),
    account_key: secret(),
    sender_number: string({ max: 100 }),
    message_prefix: string({ max: 500 }),
    /** App id (Microsoft), name of the project (Google Assistant). */
    channel_id: string({ max: 500 }),
    channel_password: string({ max: 2000, secret: true }),
    /** Tenant id. */
    channel_extra_id: string({ max: 500 }),
    callback_url: url(),
    /** Base address of the provider's API, where it is not the usual one. */
    url: url(),
    /** Origins of pages that hold a chat; of a Microsoft channel the type of its app. */
    channel_origin: origins({ per: { field: 'type', options: { microsoft: MICROSOFT_APP_TYPES } } }),
    /** `video/mpeg` is of the specification; files of it are of no type that comes in. */
    deny_attachment_types: strings({ options: [...FILE_TYPES, 'video/mpeg'] }),
    store_message: boolean({ initial: true }),
    parallel_execution_processes: integer({ min: 1, max: 1000 }),
    jobinterval: integer({ min: 0, max: 3_600_000, unit: 'ms' }),
    /** Kept for reference alone. */
    phonenumber: string({ max: 50 }),
    version: string({ max: 50 }),
    /** Of WhatsApp by Interaxa and of marketplaces: the mapping of their gateway, as JSON. */
    channel_extra_info: text({ max: 20_000 }),
  }),
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'type', as: 'tags' },
      { field: 'enable', as: 'boolean' },
      { field: 'phonenumber' },
      { field: 'webhook', as: 'address' },
    ],
    search: ['name', 'phonenumber', 'sender_number', 'channel_origin', 'channel_extra_info'],
  },
  form: [
    { id: 'general', fields: ['type', 'name', 'enable'] },
    { id: 'access', fields: ['webhook', 'channel_verify_token', 'verifytoken', 'app_secret', 'channel_origin'] },
    {
      id: 'account',
      fields: [
        'metaaccount',
        'sender_number',
        'account_id',
        'auth_token',
        'token_ends',
        'account_key',
        'username',
        'password',
        'media_id',
        'appid',
        'pagetoken',
        'channel_id',
        'channel_extra_id',
        'channel_password',
        'callback_url',
        'graph_version',
        'url',
      ],
    },
    {
      id: 'work',
      fields: [
        'parallel_execution_processes',
        'jobinterval',
        'message_prefix',
        'human_agent',
        'deny_attachment_types',
        'store_message',
      ],
    },
    { id: 'reference', fields: ['phonenumber', 'version', 'channel_extra_info'] },
  ],
  probes: ['test', 'synctemplates'],
  page: 'own',
  versioned: { not: 'where people reach a bot, and with which secrets, belongs to its installation' },
  place: { bot: { group: 'bot', order: 40 } },
})
