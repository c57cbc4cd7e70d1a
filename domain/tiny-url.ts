import type { Json } from '#schemas/event.ts'
import { accepted, type FieldError, refused } from '#schemas/refusal.ts'
import type { Behaviour, Live } from './behaviour.ts'

export interface TinyUrlFacts {
  /** The code of a new short address. */
  readonly shorturl: string
  readonly isOpenHost: (host: string) => boolean
}

/** Reason not to redirect to an address; undefined if allowed. */
const faultOf = (address: Json | undefined, isOpenHost: TinyUrlFacts['isOpenHost']): FieldError | undefined => {
  const url = typeof address === 'string' ? URL.parse(address) : null
  const fault = (rule: string): FieldError => ({ path: 'original_url', code: 'format', params: { rule } })
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return fault('webaddress')
  if (url.username !== '' || url.password !== '') return fault('credentials')
  return isOpenHost(url.hostname) ? undefined : fault('privatehost')
}

/** The address that a short one redirects to; undefined when it must not. */
export const redirectTarget = (
  address: Json | undefined,
  isOpenHost: TinyUrlFacts['isOpenHost'],
): string | undefined =>
  typeof address === 'string' && faultOf(address, isOpenHost) === undefined ? URL.parse(address)?.href : undefined

const checked = (fields: Live['fields'], { isOpenHost }: TinyUrlFacts) => {
  const error = 'original_url' in fields ? faultOf(fields.original_url, isOpenHost) : undefined
  return error === undefined ? accepted(fields) : refused('validation.failed', { errors: [error] })
}

export const tinyUrlBehaviour = {
  commands: {},
  onCreate: (fields, { facts }) => checked({ ...fields, shorturl: facts.shorturl }, facts),
  onChange: (_state, changes, { facts }) => checked(changes, facts),
} satisfies Behaviour<TinyUrlFacts>
