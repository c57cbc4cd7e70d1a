import { hash } from 'node:crypto'
import type { AnswerOf, Effect, EffectAnswer } from '#domain/conversation/effect.ts'
import type { Release, TurnSettings } from '#domain/conversation/release.ts'
import { optOutTurn, runTurn, type TurnResult } from '#domain/conversation/run-turn.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { FoldedConversation, Pending } from './folded-conversation.ts'
import { turnInput } from './turn-input.ts'

interface TurnOutside {
  /** Records, before a call that changes external data, the call and the answers since the last record (RUNTIME 66). */
  readonly request: (
    call: { readonly key: string; readonly method: string; readonly block: string; readonly n: number },
    answers: readonly EffectAnswer[],
  ) => Promise<void>
  readonly perform: (effect: Effect) => Promise<EffectAnswer>
}

/** Methods that may be sent again although their outcome is unknown. */
const AGAIN = new Set(['PUT', 'DELETE'])

const unknownOutcome: AnswerOf<'rest'> = {
  kind: 'rest',
  ms: 0,
  ok: false,
  error: { code: 'unknown', message: 'Whether the call was made is not known' },
}

const methodOf = (effect: Effect): string =>
  effect.kind === 'rest' && typeof effect.properties.methodType === 'string'
    ? effect.properties.methodType.toUpperCase()
    : ''

const changesWorld = (effect: Effect): effect is Extract<Effect, { kind: 'rest' }> =>
  effect.kind === 'rest' && effect.changes

/** Equal for the same turn of the same conversation on every node. */
const seedOf = (id: string, turn: number): number => hash('sha256', `${id} ${turn}`, 'buffer').readUInt32BE(0)

/** The campaign as flows read it, without its message. */
const campaignOf = ({ from }: Pending): { readonly campaign?: JsonObject } => {
  if (from.kind !== 'message' || from.sent.campaign === undefined) return {}
  const { message: _message, ...campaign } = from.sent.campaign
  return { campaign }
}

const environmentOf = (
  { id, state }: FoldedConversation,
  pending: Pending,
  given: { readonly release: Release; readonly settings: TurnSettings },
) => ({
  ...given,
  ...campaignOf(pending),
  now: Math.max(pending.time, state.started),
  seed: seedOf(id, state.turns + 1),
})

/** A turn whose message stopped or resumed campaigns, and does not reach the flow. */
export const endByOptOut = (
  held: FoldedConversation,
  pending: Pending,
  given: { readonly release: Release; readonly settings: TurnSettings },
  reply: string | undefined,
): TurnResult => optOutTurn(environmentOf(held, pending, given), held.state, reply)

/**
 * Runs a turn to its end. Answers that it received before a node died are reused; a POST or PATCH that was about to be
 * made then is not repeated, so that no person pays twice.
 */
export const runToEnd = async (
  held: FoldedConversation,
  pending: Pending,
  given: { readonly release: Release; readonly settings: TurnSettings },
  { request, perform }: TurnOutside,
): Promise<TurnResult> => {
  const { recorded, state } = held
  const steps = runTurn(environmentOf(held, pending, given), state, turnInput(held, pending))
  let answers: EffectAnswer[] = []
  const answer = async (effect: Effect, place: number): Promise<EffectAnswer> => {
    const known = recorded?.answers[place]
    if (known !== undefined) return known
    const isAsked = recorded !== undefined && place === recorded.answers.length
    if (isAsked && changesWorld(effect) && !AGAIN.has(methodOf(effect))) return unknownOutcome
    if (!isAsked && changesWorld(effect)) {
      const block = held.state.frames.at(-1)?.block ?? ''
      await request({ key: effect.key, method: methodOf(effect), block, n: place }, answers)
      answers = []
    }
    return perform(effect)
  }
  let step = steps.next()
  for (let place = 0; !step.done; place += 1) {
    const given = await answer(step.value, place)
    if (recorded === undefined || place >= recorded.answers.length) answers.push(given)
    step = steps.next(given)
  }
  return step.value
}
