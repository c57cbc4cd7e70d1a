import { AGENT_SYSTEM_NAMES, AGENT_SYSTEMS, AGENT_TEXTS } from '../agent-system.ts'
import { defineEntity } from '../entity.ts'
import {
  boolean,
  cron,
  duration,
  enumeration,
  integer,
  json,
  list,
  origins,
  reference,
  string,
  strings,
  text,
  url,
} from '../field/field.ts'
import { fieldsByType } from '../typed-fields.ts'

const TRACKED = { queue_tracker_enabled: [true] }

/** An outside system whose agents take chats over from a bot. The fields of a type are shown under it alone. */
export const agentchannel = defineEntity({
  name: 'agentchannel',
  type: 'AgentChannel',
  parent: 'bot',
  icon: 'Headset',
  fields: fieldsByType(AGENT_SYSTEMS, {
    bot: reference('bot', { required: true, fixed: true }),
    type: enumeration(AGENT_SYSTEM_NAMES, { required: true, fixed: true, initial: 'rocketchat' }),
    /** The type's own where none is given. */
    name: string(),
    enable: boolean({ initial: true }),
    /** Whether all is given that chats need (D-4.02). */
    configured: boolean({ readonly: true }),
    /** Empty fields and, after `channel_extra_info.`, paths of its profile that keep chats from the channel. */
    missing: strings({ max: 200, readonly: true }),
    url: url(),
    channel_auth_url: url(),
    /** User id (Rocket.Chat), project (Tiledesk), client id (Avaya), access key (CXone), tenant (Five9). */
    channel_id: string({ max: 500 }),
    user: string(),
    channel_password: string({ max: 4000, secret: true }),
    provider_id: string(),
    service_id: string(),
    /** Department, skillset, point of contact or campaign of chats that name none. */
    defaultqueue: string(),
    certificate: text({ max: 20_000 }),
    custom_message_service_url: url(),
    channel_extra_info: json({ control: 'agentprofile' }),
    /** Path on the bot router that receives the system's events. */
    webhook: string({ readonly: true, addressPath: '' }),
    verifytoken: string({ max: 2000, secret: true }),
    channel_origin: origins(),
    supervisor_url: url({ protocols: ['https'] }),
    supervisor_token_userid: string(),
    supervisor_token_password: string({ max: 2000, secret: true }),
    supervisor_login_userid: string(),
    supervisor_login_password: string({ max: 2000, secret: true }),
    supervisor_monitoring_services: string({ max: 2000 }),
    monitoring_services: string({ max: 2000 }),
    number_of_job_workers: integer({ min: 1, max: 100, initial: 15 }),
    check_agent_availibility_interval: duration('ms', {
      min: 500,
      max: 600_000,
      initial: 5000,
    }),
    check_agent_availibility_retries: integer({ min: 0, max: 1000, initial: 24 }),
    /** 0: messages come by the webhook alone. */
    check_agent_message_availibility_interval: duration('ms', { max: 600_000, initial: 0 }),
    timed_out_message: text({ max: 1000 }),
    queue_enabled: boolean(),
    attachment_needs_authentication: boolean(),
    long_polling_timeout: duration('s', { max: 60, initial: 30 }),
    play_comfort_message: boolean(),
    play_comfort_message_interval: duration('s', {
      min: 5,
      max: 3600,
      initial: 30,
      when: { play_comfort_message: [true] },
    }),
    websocket_ping_interval: duration('ms', { min: 1000, max: 600_000, initial: 15_000 }),
    websocket_reconnect_maxtries: integer({ min: 0, max: 10_000, initial: 200 }),
    websocket_reconnect_retry_interval: duration('ms', { min: 100, max: 600_000, initial: 3000 }),
    message_to_identify_user_waiting: string({ max: 1000 }),
    message_to_identify_agent_connected: string({ max: 1000 }),
    message_to_identify_agent_transfered: string({ max: 1000 }),
    send_agent_comment_to_user: boolean(),
    /** A text in place of the usual one of its moment; an empty one says nothing. */
    texts: list(
      { moment: enumeration(AGENT_TEXTS, { required: true, initial: 'queued' }), text: text({ max: 1000 }) },
      { maxItems: AGENT_TEXTS.length },
    ),
    queue_tracker_enabled: boolean({ initial: true }),
    queue_tracker_clear_enabled: boolean({ when: TRACKED }),
    queue_tracker_clear_by_cron: cron({ when: { ...TRACKED, queue_tracker_clear_enabled: [true] } }),
    /** `forgotten_after`: minutes before the clock clears a person. `alert_at`: allowed number in the queue. */
    queue_tracker_config: json({ when: TRACKED }),
  }),
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
        'texts',
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
  probes: ['test', 'clearqueue'],
  page: 'own',
  pages: [{ key: 'queue', icon: 'Hourglass', permission: 'readagentchannel' }],
  versioned: { not: 'where outside systems are, and with which keys, belongs to the installation' },
  place: { bot: { group: 'bot', order: 41 } },
})
