import type { BodyOf } from '#schemas/api/routes.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Replay } from '#web/features/conversation/index.ts'
import { type HeldValue, momentsOf, valuesAt } from './replay-moments.ts'

/** By what an answer is checked as. Numbers of people are made up, and valid. */
const CHECKED: Readonly<Record<string, Json>> = {
  Email: 'ana@example.com',
  MobilePhone: '+5511987654321',
  URL: 'https://example.com',
  CPF: '52998224725',
  CNPJ: '11222333000181',
  CEP: '01310100',
  CreditCard: '4111111111111111',
  IP: '192.0.2.1',
  Port: 443,
}

const OF_KIND: Readonly<Record<string, Json>> = {
  text: 'Ana',
  number: 1,
  time: '2026-01-01',
  confirm: true,
  boolean: true,
  location: { latitude: -23.5505, longitude: -46.6333 },
  attachment: [],
  list: [],
  object: {},
  empty: null,
}

/** A value to try with in place of one that may not be read, of the same kind. */
const exampleValue = (kind: string, checkedAs: string | undefined): Json =>
  CHECKED[checkedAs ?? ''] ?? OF_KIND[kind] ?? ''

type Start = NonNullable<BodyOf<'POST /bot/{id}/simulation'>>

export interface StartFrom {
  /** ms since 1970 */
  readonly time: number
  readonly block: string | undefined
  /** Number of the release that ran. */
  readonly release: number
  readonly values: Pick<Start, 'variables' | 'user' | 'locals'>
  /** Names of example values. */
  readonly examples: readonly string[]
}

/** Start of a test that continues from a moment of a conversation: its position, and the values before that block. */
export const startFrom = (
  replay: Replay,
  { turn, step }: { readonly turn: number; readonly step: number },
  checkedAs: (value: HeldValue) => string | undefined,
): StartFrom | undefined => {
  const moments = momentsOf(replay.turns)
  const index = moments.findIndex(moment => moment.turn.turn === turn && moment.place >= step - 1)
  const moment = moments[index]
  if (moment === undefined) return undefined
  const held = valuesAt(moments, index - 1, replay.words)
  const shownOf = (value: HeldValue): Json =>
    value.hidden || value.value === undefined ? exampleValue(value.kind, checkedAs(value)) : value.value
  const of = (scope: HeldValue['scope']): JsonObject =>
    Object.fromEntries(held.filter(value => value.scope === scope).map(value => [value.name, shownOf(value)]))
  return {
    time: moment.time,
    block: moment.step?.block,
    release: moment.turn.release,
    values: { variables: of('conversation'), user: of('user'), locals: of('dialog') },
    examples: held.filter(({ hidden }) => hidden).map(({ name }) => name),
  }
}
