import { own } from './json.ts'
import { namesOf } from './typed-fields.ts'

interface MlSystemDeclaration {
  /** Name of a channel that was given none: that of the product, in every language. */
  readonly title: string
  /** Fields of a channel beside those of all systems. */
  readonly fields: readonly string[]
  /** Offered to understand the texts of a bot (`default_nlu_system`). */
  readonly isOffered: boolean
  /**
   * Proof of its calls of the bot beside the verify token: the channel's password, or a JWT signed with it as well. Other
   * systems are called with that password.
   */
  readonly callProof?: 'password' | 'signature'
}

const AGENT = ['channel_id', 'extradetails'] as const
/** Fields of systems that call the bot. */
const CALLS = ['webhook', 'channel_verify_token'] as const

/** Outside systems that understand or answer texts for a bot. */
export const ML_SYSTEMS = {
  rasa: { title: 'Rasa', fields: ['url', 'custom_action_endpoint', 'model_server', ...CALLS], isOffered: true },
  dialogflow: {
    title: 'Dialogflow',
    fields: ['channel_authentication_details', ...AGENT, ...CALLS],
    isOffered: true,
    callProof: 'password',
  },
  watson: {
    title: 'Watson',
    fields: ['url', 'channel_authentication_details', ...AGENT, ...CALLS],
    isOffered: true,
    callProof: 'signature',
  },
  langflow: { title: 'Langflow', fields: ['url', 'tweaks', ...AGENT], isOffered: false },
} as const satisfies Readonly<Record<string, MlSystemDeclaration>>

type MlSystems = typeof ML_SYSTEMS
export type MlSystemName = keyof MlSystems
/** Systems that call the bot. */
export type CallingMlSystem = {
  [name in MlSystemName]: 'webhook' extends MlSystems[name]['fields'][number] ? name : never
}[MlSystemName]

export const ML_SYSTEM_NAMES = namesOf(ML_SYSTEMS)

export const mlSystem = (type: string): MlSystemDeclaration | undefined => own<MlSystemDeclaration>(ML_SYSTEMS, type)
