import type { Json } from '#schemas/event.ts'
import { accepted } from '#schemas/refusal.ts'
import type { Behaviour, Live } from './behaviour.ts'

export interface ChannelFacts {
  readonly id: string
}

const isBlank = (value: Json | undefined): boolean => typeof value !== 'string' || value.trim() === ''

/** What it is called where nobody says: its type. */
export const named = (fields: Live['fields'], type: Json | undefined): Live['fields'] =>
  'name' in fields && isBlank(fields.name) ? { ...fields, name: type ?? null } : fields

export const channelBehaviour = {
  commands: {},
  onCreate: (fields, { facts }) =>
    accepted({ ...named(fields, fields.type), webhook: `/${fields.type === 'rest' ? 'rest' : 'chat'}/${facts.id}` }),
  onChange: (state, changes) => accepted(named(changes, state.fields.type)),
} satisfies Behaviour<ChannelFacts>
