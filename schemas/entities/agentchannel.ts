import { AGENT_SYSTEMS } from '../agent-system.ts'
import { defineEntity } from '../entity.ts'
import {
  boolean,
  cron,
  duration,
  enumeration,
  integer,
  json,
  origins,
  reference,
  string,
  text,
  url,
} from '../field/field.ts'

/** Systems without a public API: the channel itself says how they are called (`channel_extra_info`). */
const PROFILE = ['emc', 'avayaacr', 'avayasmcc', 'presence', 'xgen', 'gocontact']
const HAS_USER = ['tiledesk', 'presence']
const HAS_ID = ['rocketchat', 'tiledesk', 'avayaccaas', 'cxone', 'five9']
const HAS_PASSWORD = [
  'rocketchat',
  'avayaccaas',
  'cxone',
  'tiledesk',
  'presence',
  'emc',
  'avayaacr',
  'avayasmcc',
  'gocontact',
  'xgen',
]
const CALLS_US = ['rocketchat', 'tiledesk', 'avayaccaas', 'five9', ...PROFILE]
/** Systems that report whether agents are available. */
const HAS_HOURS = ['rocketchat', 'tiledesk', 'aacc', 'five9', ...PROFILE]
const PRESENCE = { type: ['presence'] }
const AACC = { type: ['aacc'] }
const ROCKETCHAT = { type: ['rocketchat'] }
const TRACKED = { queue_tracker_enabled: [true] }

/** An outside system whose agents take chats over from a bot. The fields of a type are shown under it alone. */
export const agentchannel = defineEntity({
  name: 'agentchannel',
  type: 'AgentChannel',
  parent: 'bot',
  icon: 'Headset',
  fields: {
    bot: reference('bot', { required: true, fixed: true }),
    type: enumeration(AGENT_SYSTEMS, { required: true, fixed: true, initial: 'rocketchat' }),
    /** The type's own where none is given. */
    name: string(),
    enable: boolean({ initial: true }),
    /** Whether all is given that chats need (D-4.02). */
    configured: boolean({ readonly: true }),
    url: url(),
    channel_auth_url: url({ when: { type: ['cxone'] } }),
    /** User id (Rocket.Chat), project (Tiledesk), client id (Avaya), access key (CXone), tenant (Five9). */
    channel_id: string({ max: 500, when: { type: HAS_ID } }),
    user: string({ when: { type: HAS_USER } }),
    channel_password: string({ max: 4000, secret: true, when: { type: HAS_PASSWORD } }),
    provider_id: string({ when: { type: ['avayaccaas'] } }),
    service_id: string({ when: PRESENCE }),
    /** Department, skillset, point of contact or campaign of chats that name none. */
    defaultqueue: string(),
    certificate: text({ max: 20_000, when: AACC }),
    custom_message_service_url: url({ when: { type: ['xgen'] } }),
    channel_extra_info: json({ when: { type: ['avayaccaas', ...PROFILE] } }),
    /** Path on the bot router that receives the system's events. */
    webhook: string({ readonly: true, addressPath: '', when: { type: CALLS_US } }),
    verifytoken: string({ max: 2000, secret: true, when: { type: CALLS_US } }),
    channel_origin: origins(),
    supervisor_url: url({ protocols: ['https'], when: PRESENCE }),
    supervisor_token_userid: string({ when: PRESENCE }),
    supervisor_token_password: string({ max: 2000, secret: true, when: PRESENCE }),
    supervisor_login_userid: string({ when: PRESENCE }),
    supervisor_login_password: string({ max: 2000, secret: true, when: PRESENCE }),
    supervisor_monitoring_services: string({ max: 2000, when: PRESENCE }),
    monitoring_services: string({ max: 2000, when: { type: ['xgen'] } }),
    number_of_job_workers: integer({ min: 1, max: 100, initial: 15, when: PRESENCE }),
    check_agent_availibility_interval: duration('ms', {
      min: 500,
      max: 600_000,
      initial: 5000,
      when: { type: HAS_HOURS },
    }),
    check_agent_availibility_retries: integer({ min: 0, max: 1000, initial: 24, when: { type: HAS_HOURS } }),
    /** 0: messages come by the webhook alone. */
    check_agent_message_availibility_interval: duration('ms', { max: 600_000, initial: 0, when: ROCKETCHAT }),
    timed_out_message: text({ max: 1000 }),
    queue_enabled: boolean({ when: ROCKETCHAT }),
    attachment_needs_authentication: boolean({ when: ROCKETCHAT }),
    long_polling_timeout: duration('s', { max: 60, initial: 30, when: { type: ['cxone'] } }),
    play_comfort_message: boolean({ when: AACC }),
    play_comfort_message_interval: duration('s', {
      min: 5,
      max: 3600,
      initial: 30,
      when: { ...AACC, play_comfort_message: [true] },
    }),
    websocket_ping_interval: duration('ms', { min: 1000, max: 600_000, initial: 15_000, when: AACC }),
    websocket_reconnect_maxtries: integer({ min: 0, max: 10_000, initial: 200, when: AACC }),
    websocket_reconnect_retry_interval: duration('ms', { min: 100, max: 600_000, initial: 3000, when: AACC }),
    message_to_identify_user_waiting: string({ max: 1000 }),
    message_to_identify_agent_connected: string({ max: 1000 }),
    message_to_identify_agent_transfered: string({ max: 1000 }),
    send_agent_comment_to_user: boolean(),
    queue_tracker_enabled: boolean({ initial: true }),
    queue_tracker_clear_enabled: boolean({ when: TRACKED }),
    queue_tracker_clear_by_cron: cron({ when: { ...TRACKED, queue_tracker_clear_enabled: [true] } }),
    /** `forgotten_after`: minutes before the clock clears a person. `alert_at`: allowed number in the queue. */
    queue_tracker_config: json({ when: TRACKED }),
  },
  unique: [],
  title: 'name',
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'type', as: 'tags' },
      { field: 'configured', as: 'boolean' },
      { field: 'enable', as: 'boolean' },
      { field: 'url', as: 'code' },
    ],
    search: ['name', 'url', 'channel_id', 'defaultqueue'],
  },
  form: [
    { id: 'general', fields: ['type', 'name', 'enable'] },
    {
      id: 'system',
      fields: [
        'url',
        'channel_auth_url',
        'channel_id',
        'user',
        'channel_password',
        'provider_id',
        'service_id',
        'defaultqueue',
        'certificate',
        'custom_message_service_url',
        'attachment_needs_authentication',
        'channel_extra_info',
      ],
    },
    { id: 'calls', fields: ['webhook', 'verifytoken', 'channel_origin'] },
    {
      id: 'supervisor',
      fields: [
        'supervisor_url',
        'supervisor_token_userid',
        'supervisor_token_password',
        'supervisor_login_userid',
        'supervisor_login_password',
        'supervisor_monitoring_services',
        'monitoring_services',
        'number_of_job_workers',
      ],
    },
    {
      id: 'availability',
      fields: [
        'queue_enabled',
        'check_agent_availibility_interval',
        'check_agent_availibility_retries',
        'timed_out_message',
        'check_agent_message_availibility_interval',
        'long_polling_timeout',
        'play_comfort_message',
        'play_comfort_message_interval',
        'websocket_ping_interval',
        'websocket_reconnect_maxtries',
        'websocket_reconnect_retry_interval',
      ],
    },
    {
      id: 'messages',
      fields: [
        'message_to_identify_user_waiting',
        'message_to_identify_agent_connected',
        'message_to_identify_agent_transfered',
        'send_agent_comment_to_user',
      ],
    },
    {
      id: 'queue',
      fields: [
        'queue_tracker_enabled',
        'queue_tracker_clear_enabled',
        'queue_tracker_clear_by_cron',
        'queue_tracker_config',
      ],
    },
  ],
  actions: {},
  probes: ['test', 'clearqueue'],
  confirm: false,
  page: 'own',
  pages: [{ key: 'queue', icon: 'Hourglass', permission: 'readagentchannel' }],
  versioned: { not: 'where outside systems are, and with which keys, belongs to the installation' },
  place: { bot: { group: 'bot', order: 41 } },
})
