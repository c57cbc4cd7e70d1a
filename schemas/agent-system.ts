import { own } from './json.ts'
import { namesOf } from './typed-fields.ts'

interface AgentSystemDeclaration {
  /** Name of a channel that was given none: that of the product, in every language. */
  readonly title: string
  /** Fields of a channel beside those of all systems. */
  readonly fields: readonly string[]
  /** Fields that a channel must have to be `configured` (D-4.02). */
  readonly needs: readonly string[]
  /** `profile`: the channel itself declares how its system is called (docs/agents.md). */
  readonly adapter: 'own' | 'profile'
  /** Its `url` must be https (D-5.06). */
  readonly isHttpsOnly?: true
}

/** Fields of systems that are outside. */
const OUTSIDE = [
  'url',
  'channel_origin',
  'message_to_identify_user_waiting',
  'message_to_identify_agent_connected',
  'message_to_identify_agent_transfered',
  'send_agent_comment_to_user',
] as const
/** Fields of systems that report events by calling the bot. */
const CALLS = ['webhook', 'verifytoken'] as const
/** Fields of systems that report whether agents are available. */
const AVAILABILITY = ['check_agent_availibility_interval', 'check_agent_availibility_retries'] as const
/** Systems without a public API: the channel itself says how they are called. */
const PROFILE = [
  ...OUTSIDE,
  'channel_id',
  'channel_password',
  'attachment_needs_authentication',
  'channel_extra_info',
  ...CALLS,
  ...AVAILABILITY,
] as const
const PROFILE_NEEDS = ['url', 'channel_extra_info'] as const

/** Moments at which a person reads a text while an outside system has them; a channel may replace each, or leave it out. */
export const AGENT_TEXTS = ['queued', 'joined', 'transferred', 'closed', 'nobody'] as const
export type AgentText = (typeof AGENT_TEXTS)[number]

/** Fields of outside systems; the queues of the desk have their own. */
const TEXTS = ['texts'] as const

/** Systems whose agents take chats over: Parley's own desk, and outside ones. */
export const AGENT_SYSTEMS = {
  /** Parley's own desk: people of the installation answer. */
  parley: { title: 'Parley', fields: [], needs: [], adapter: 'own' },
  rocketchat: {
    title: 'Rocket.Chat',
    fields: [
      ...OUTSIDE,
      'channel_id',
      'channel_password',
      'attachment_needs_authentication',
      'queue_enabled',
      'check_agent_message_availibility_interval',
      ...CALLS,
      ...AVAILABILITY,
      ...TEXTS,
    ],
    needs: ['url', 'verifytoken'],
    adapter: 'own',
  },
  tiledesk: {
    title: 'Tiledesk',
    fields: [...OUTSIDE, 'channel_id', 'user', 'channel_password', ...CALLS, ...AVAILABILITY, ...TEXTS],
    needs: ['url', 'channel_id', 'verifytoken'],
    adapter: 'own',
  },
  aacc: {
    title: 'AACC',
    fields: [
      ...OUTSIDE,
      'certificate',
      'play_comfort_message',
      'play_comfort_message_interval',
      'websocket_ping_interval',
      'websocket_reconnect_maxtries',
      'websocket_reconnect_retry_interval',
      ...AVAILABILITY,
      ...TEXTS,
    ],
    needs: ['url', 'defaultqueue'],
    adapter: 'own',
  },
  emc: { title: 'Avaya EMC', fields: [...PROFILE, ...TEXTS], needs: PROFILE_NEEDS, adapter: 'profile' },
  avayaccaas: {
    title: 'Avaya CCaaS',
    fields: ['provider_id', ...PROFILE, ...TEXTS],
    needs: ['url', 'channel_id', 'channel_password', 'provider_id', 'channel_extra_info'],
    adapter: 'profile',
  },
  avayaacr: { title: 'Avaya ACR', fields: [...PROFILE, ...TEXTS], needs: PROFILE_NEEDS, adapter: 'profile' },
  avayasmcc: { title: 'Avaya SMCC', fields: [...PROFILE, ...TEXTS], needs: PROFILE_NEEDS, adapter: 'profile' },
  presence: {
    title: 'Presence Suite',
    fields: [
      'user',
      'service_id',
      'supervisor_url',
      'supervisor_token_userid',
      'supervisor_token_password',
      'supervisor_login_userid',
      'supervisor_login_password',
      'supervisor_monitoring_services',
      'number_of_job_workers',
      ...PROFILE,
      ...TEXTS,
    ],
    needs: PROFILE_NEEDS,
    adapter: 'profile',
    isHttpsOnly: true,
  },
  cxone: {
    title: 'NICE CXone',
    fields: [...OUTSIDE, 'channel_auth_url', 'channel_id', 'channel_password', 'long_polling_timeout', ...TEXTS],
    needs: ['channel_auth_url', 'channel_id', 'channel_password', 'defaultqueue'],
    adapter: 'own',
  },
  xgen: {
    title: 'XGEN',
    fields: ['custom_message_service_url', 'monitoring_services', ...PROFILE, ...TEXTS],
    needs: PROFILE_NEEDS,
    adapter: 'profile',
  },
  gocontact: { title: 'GoContact', fields: [...PROFILE, ...TEXTS], needs: PROFILE_NEEDS, adapter: 'profile' },
  five9: {
    title: 'Five9',
    fields: [...OUTSIDE, 'channel_id', ...CALLS, ...AVAILABILITY, ...TEXTS],
    needs: ['channel_id', 'defaultqueue', 'verifytoken'],
    adapter: 'own',
  },
} as const satisfies Readonly<Record<string, AgentSystemDeclaration>>

type AgentSystems = typeof AGENT_SYSTEMS
type AgentSystemName = keyof AgentSystems
/** Systems with an adapter of their own. */
export type AdaptedAgentSystem = {
  [name in AgentSystemName]: AgentSystems[name]['adapter'] extends 'profile' ? never : name
}[AgentSystemName]

export const AGENT_SYSTEM_NAMES = namesOf(AGENT_SYSTEMS)

export const agentSystem = (type: string): AgentSystemDeclaration | undefined =>
  own<AgentSystemDeclaration>(AGENT_SYSTEMS, type)
