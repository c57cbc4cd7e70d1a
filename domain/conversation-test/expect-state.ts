import type { ConversationState } from '#domain/conversation/state.ts'
import { valueNamed } from '#domain/conversation/variables.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { jsonEqual, record } from '#schemas/json.ts'
import { type MadeCall, timesCalled } from './answer-call.ts'
import { isCalled } from './check-names.ts'
import { type PathStep, TestFailure } from './test-result.ts'
import type { StateExpectation } from './test-schema.ts'

/** State of a conversation that steps can check. */
interface TestSituation {
  readonly state: ConversationState
  /** Values by name, masked ones included. */
  readonly values: JsonObject
  readonly path: readonly PathStep[]
  /** Title of the block at which it stands, or stood last. */
  readonly at: { readonly id: string; readonly name: string } | undefined
  readonly calls: readonly MadeCall[]
  readonly ended: string | undefined
}

/** Shown in place of a masked answer (RUNTIME 85). */
const DOTS = '••••••'

const fail = (name: string, expected: Json, got: Json): never => {
  throw new TestFailure('state', { [name]: expected }, { [name]: got })
}

const expectVariables = (wanted: JsonObject, { state, values }: TestSituation): void => {
  const held = Object.keys(wanted).map(name => [name, valueNamed(values, name) ?? null] as const)
  if (held.every(([name, value]) => jsonEqual(value, wanted[name]))) return
  const shown = held.map(
    ([name, value]) => [name, state.masked.includes(name) && value !== null ? DOTS : value] as const,
  )
  const asked = Object.entries(wanted).map(
    ([name, value]) => [name, state.masked.includes(name) ? DOTS : value] as const,
  )
  fail('variables', record(asked), record(shown))
}

const expectPath = ({ at, visited, notvisited }: StateExpectation, situation: TestSituation): void => {
  const { path } = situation
  if (at !== undefined && (situation.at === undefined || !isCalled(situation.at, at)))
    fail('at', at, situation.at?.name ?? null)
  const isVisited = (name: string) => path.some(({ block, title }) => isCalled({ id: block, name: title }, name))
  const titles = [...new Set(path.map(({ title }) => title))]
  const missed = (visited ?? []).filter(name => !isVisited(name))
  if (missed.length > 0) fail('visited', missed, titles)
  const met = (notvisited ?? []).filter(isVisited)
  if (met.length > 0) fail('notvisited', met, titles)
}

/** Compares a conversation with what a step expects of it; throws at the first thing that does not hold. */
export const expectState = (expected: StateExpectation, situation: TestSituation): void => {
  const { state, calls, ended } = situation
  expectPath(expected, situation)
  if (expected.variables !== undefined) expectVariables(expected.variables, situation)
  const missing = (expected.tags ?? []).filter(tag => !state.tags.includes(tag))
  if (missing.length > 0) fail('tags', [...(expected.tags ?? [])], [...state.tags])
  for (const called of expected.called ?? []) {
    const times = timesCalled(called, calls)
    if (called.times === undefined ? times === 0 : times !== called.times)
      fail('called', called as JsonObject, { ...(called as JsonObject), times })
  }
  if (typeof expected.ended === 'boolean' && expected.ended !== (ended !== undefined))
    fail('ended', expected.ended, ended ?? false)
  if (typeof expected.ended === 'string' && expected.ended !== ended) fail('ended', expected.ended, ended ?? false)
  if (expected.idle !== undefined && expected.idle !== (state.status === 'idle'))
    fail('idle', expected.idle, state.status)
  if (expected.status !== undefined && expected.status !== state.status) fail('status', expected.status, state.status)
  if (expected.retained !== undefined && expected.retained !== state.retained)
    fail('retained', expected.retained, state.retained)
}
