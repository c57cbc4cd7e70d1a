import { own } from './json.ts'
import { namesOf } from './typed-fields.ts'

interface AgentSystemDeclaration {
  /** Fields of a channel beside those of all systems. */
  readonly fields: readonly string[]
  /** Fields that a channel must have to be `configured` (D-4.02). */
  readonly needs: readonly string[]
  /** `none`: channels can be kept for imported bots; no chat is handed over. */
  readonly adapter: 'own' | 'none'
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
const PROFILE = [...OUTSIDE, 'channel_password', 'channel_extra_info', ...CALLS, ...AVAILABILITY] as const
const PROFILE_NEEDS = ['url', 'channel_extra_info'] as const

/** Systems whose agents take chats over (designer.md 3.2): Parley's own desk, and outside ones. */
export const AGENT_SYSTEMS = {
  /** Parley's own desk: people of the installation answer. */
  parley: { fields: [], needs: [], adapter: 'own' },
  rocketchat: {
    fields: [
      ...OUTSIDE,
      'channel_id',
      'channel_password',
      'attachment_needs_authentication',
      'queue_enabled',
      'check_agent_message_availibility_interval',
      ...CALLS,
      ...AVAILABILITY,
    ],
    needs: ['url', 'verifytoken'],
    adapter: 'own',
  },
  tiledesk: {
    fields: [...OUTSIDE, 'channel_id', 'user', 'channel_password', ...CALLS, ...AVAILABILITY],
    needs: ['url', 'channel_id', 'verifytoken'],
    adapter: 'own',
  },
  aacc: {
    fields: [
      ...OUTSIDE,
      'certificate',
      'play_comfort_message',
      'play_comfort_message_interval',
      'websocket_ping_interval',
      'websocket_reconnect_maxtries',
      'websocket_reconnect_retry_interval',
      ...AVAILABILITY,
    ],
    needs: ['url', 'defaultqueue'],
    adapter: 'none',
  },
  emc: { fields: PROFILE, needs: PROFILE_NEEDS, adapter: 'none' },
  avayaccaas: {
    fields: [...OUTSIDE, 'channel_id', 'channel_password', 'provider_id', 'channel_extra_info', ...CALLS],
    needs: ['url', 'channel_id', 'channel_password', 'provider_id', 'channel_extra_info'],
    adapter: 'none',
  },
  avayaacr: { fields: PROFILE, needs: PROFILE_NEEDS, adapter: 'none' },
  avayasmcc: { fields: PROFILE, needs: PROFILE_NEEDS, adapter: 'none' },
  presence: {
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
    ],
    needs: PROFILE_NEEDS,
    adapter: 'none',
    isHttpsOnly: true,
  },
  cxone: {
    fields: [...OUTSIDE, 'channel_auth_url', 'channel_id', 'channel_password', 'long_polling_timeout'],
    needs: ['channel_auth_url', 'channel_id', 'channel_password', 'defaultqueue'],
    adapter: 'own',
  },
  xgen: {
    fields: ['custom_message_service_url', 'monitoring_services', ...PROFILE],
    needs: PROFILE_NEEDS,
    adapter: 'none',
  },
  gocontact: { fields: PROFILE, needs: PROFILE_NEEDS, adapter: 'none' },
  five9: {
    fields: [...OUTSIDE, 'channel_id', ...CALLS, ...AVAILABILITY],
    needs: ['channel_id', 'defaultqueue', 'verifytoken'],
    adapter: 'own',
  },
} as const satisfies Readonly<Record<string, AgentSystemDeclaration>>

type AgentSystems = typeof AGENT_SYSTEMS
type AgentSystemName = keyof AgentSystems
/** Systems that chats can be handed to. */
export type AvailableAgentSystem = {
  [name in AgentSystemName]: AgentSystems[name]['adapter'] extends 'none' ? never : name
}[AgentSystemName]

export const AGENT_SYSTEM_NAMES = namesOf(AGENT_SYSTEMS)

export const agentSystem = (type: string): AgentSystemDeclaration | undefined =>
  own<AgentSystemDeclaration>(AGENT_SYSTEMS, type)
