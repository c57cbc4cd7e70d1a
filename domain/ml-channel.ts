import type { Json } from '#schemas/event.ts'
import { accepted, type FieldError, refused } from '#schemas/refusal.ts'
import type { Behaviour, Live } from './behaviour.ts'
import { type ChannelFacts, named } from './channel.ts'
import { readServiceAccount } from './ml/service-account.ts'

type Fields = Live['fields']

/** Project of Dialogflow ES, a location optional; agent of CX with an environment optional. */
const PROJECT = /^(projects\/)?[a-z0-9:.-]{1,100}(\/locations\/[a-z0-9-]{1,50})?$/u
const AGENT =
  /^projects\/[a-z0-9:.-]{1,100}\/locations\/[a-z0-9-]{1,50}\/agents\/[\w-]{1,100}(\/environments\/[\w-]{1,100})?$/u
/** Assistant of Watson, an environment optional; flow of Langflow. */
const ASSISTANT = /^[\w-]{1,100}(\/environments\/[\w-]{1,100})?$/u
const FLOW = /^[\w-]{1,200}$/u
const VERSION = /^(\d{4})-(\d{2})-(\d{2})$/u

const text = (value: Json | undefined): string => (typeof value === 'string' ? value.trim() : '')

/** A calendar day as YYYY-MM-DD. */
const isDay = (value: string): boolean =>
  VERSION.test(value) && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString().startsWith(value)

const identifierRule = (type: string, edition: string, id: string): string | undefined => {
  if (type === 'dialogflow' && edition === 'CX') return AGENT.test(id) ? undefined : 'dialogflowagent'
  if (type === 'dialogflow') return PROJECT.test(id) ? undefined : 'dialogflowproject'
  if (type === 'watson') return ASSISTANT.test(id) ? undefined : 'watsonassistant'
  return type === 'langflow' && !FLOW.test(id) ? 'langflowflow' : undefined
}

const detailRule = (type: string, detail: string): string | undefined => {
  if (type === 'dialogflow') return detail === 'ES' || detail === 'CX' ? undefined : 'dialogflowedition'
  return type === 'watson' && !isDay(detail) ? 'watsonversion' : undefined
}

const isAccountFault = (type: string, credentials: Json | undefined): boolean =>
  // Sealed values were checked before.
  type === 'dialogflow' && typeof credentials === 'string' && readServiceAccount(credentials) === undefined

/** Field rules of each type beyond the declaration (D-3.3.04, D-3.3.06). */
const errorsOf = (fields: Fields): readonly FieldError[] => {
  const type = text(fields.type)
  const edition = text(fields.extradetails)
  const rules: readonly (readonly [string, string | undefined])[] = [
    ['extradetails', detailRule(type, edition)],
    ['channel_id', identifierRule(type, edition, text(fields.channel_id))],
    [
      'channel_authentication_details',
      isAccountFault(type, fields.channel_authentication_details) ? 'serviceaccount' : undefined,
    ],
  ]
  return rules.flatMap(([path, rule]) => (rule === undefined ? [] : [{ path, code: 'format', params: { rule } }]))
}

/** Without an edition Dialogflow is ES. */
const withEdition = (fields: Fields): Fields =>
  fields.type === 'dialogflow' && text(fields.extradetails) === '' ? { ...fields, extradetails: 'ES' } : fields

export const mlChannelBehaviour = {
  commands: {},
  onCreate(given, { facts }) {
    const fields = withEdition(named(given, given.type))
    const errors = errorsOf(fields)
    if (errors.length > 0) return refused('validation.failed', { errors })
    return accepted(fields.type === 'langflow' ? fields : { ...fields, webhook: `/ml/${facts.id}/webhook` })
  },
  onChange(state, changes) {
    const { type = null } = state.fields
    const edited = text(changes.extradetails) === '' && 'extradetails' in changes && type === 'dialogflow'
    const next = { ...named(changes, type), ...(edited ? { extradetails: 'ES' } : {}) }
    const errors = errorsOf({ ...state.fields, ...next })
    return errors.length === 0 ? accepted(next) : refused('validation.failed', { errors })
  },
} satisfies Behaviour<ChannelFacts>
