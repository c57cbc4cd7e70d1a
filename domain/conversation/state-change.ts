import type { Json, JsonObject } from '#schemas/event.ts'
import { record } from '../flow/document/json.ts'
import { same } from '../json-equal.ts'
import type { ConversationState } from './state.ts'

/** Members of a state that hold values by name: only the names that changed are written. */
const NAMED = ['variables', 'userdata'] as const

const namedChange = (before: JsonObject, after: JsonObject): JsonObject => {
  const put = Object.entries(after).filter(
    ([name, value]) => !(Object.hasOwn(before, name) && same(before[name] ?? null, value)),
  )
  const drop = Object.keys(before).filter(name => !Object.hasOwn(after, name))
  return { put: record(put), drop }
}

const isNothing = ({ put = {}, drop = [] }: JsonObject): boolean =>
  Object.keys(put as JsonObject).length === 0 && (drop as readonly Json[]).length === 0

/** Changes of a state in a turn, as JSON: {@link changedState} applies them to the state before. */
export const stateChange = (before: ConversationState, after: ConversationState): JsonObject => {
  const members = Object.entries(after).filter(([name, value]) => {
    if (NAMED.some(named => named === name)) return false
    return !same(before[name as keyof ConversationState] as unknown as Json, value as Json)
  })
  const named = NAMED.map(name => [name, namedChange(before[name], after[name])] as const)
  return {
    ...record(members as (readonly [string, Json])[]),
    ...record(named.filter(([, change]) => !isNothing(change))),
  }
}

const withNamed = (held: JsonObject, change: Json | undefined): JsonObject => {
  if (change === undefined) return held
  const { put = {}, drop = [] } = change as { readonly put?: JsonObject; readonly drop?: readonly string[] }
  return record([...Object.entries(held).filter(([name]) => !drop.includes(name)), ...Object.entries(put)])
}

export const changedState = (before: ConversationState, change: JsonObject): ConversationState => ({
  ...before,
  ...change,
  variables: withNamed(before.variables, change.variables),
  userdata: withNamed(before.userdata, change.userdata),
})
