import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Effect, EffectAnswer, Steps } from '#domain/conversation/effect.ts'
import {
  Chance,
  randomAnswer,
  randomInput,
  randomRelease,
  randomSettings,
} from '#domain/conversation/fixture/random-talk.ts'
import { NOW } from '#domain/conversation/fixture/talk.ts'
import type { BotMessage, TurnInput } from '#domain/conversation/message.ts'
import type { CompiledBlock, Release, TurnSettings } from '#domain/conversation/release.ts'
import { runTurn, type TurnResult } from '#domain/conversation/run-turn.ts'
import { type ConversationState, newConversation } from '#domain/conversation/state.ts'
import type { InnerSteps } from '#domain/conversation-test/answer-call.ts'
import { changeOf, mayDiffer } from './changed-blocks.ts'
import type { RecordedCall, RecordedTurn, Recording, Standing } from './recording.ts'
import { type Outcome, outcomeOf, RecordedAnswers, waitingAt, walkAgain, walkAnew } from './walk.ts'

const MINUTE_MS = 60_000

/** Characters of a question that make up its answer. */
const MAX_READ = 5_000

const sumOf = (text: string): number => {
  let sum = text.length
  for (let at = 0; at < text.length && at < MAX_READ; at += 1) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) >>> 0
  return sum
}

/** The same answer to the same question at any time, as an evaluator, a calendar or a script gives it. */
const steadyAnswer = (effect: Effect): EffectAnswer => {
  return { ...randomAnswer(effect, new Chance(sumOf(JSON.stringify(effect)))), ms: 0 }
}

/** Runs a computation whose outside is steady. */
const steadily = <T>(steps: InnerSteps<T>): T => {
  let step = steps.next()
  while (!step.done) step = steps.next(steadyAnswer(step.value))
  return step.value
}

interface Environment {
  readonly release: Release
  readonly settings: TurnSettings
}

const driven = (steps: Steps<TurnResult>, block: string | null, chance: Chance) => {
  const calls: RecordedCall[] = []
  let at = block
  let step = steps.next()
  while (!step.done) {
    const effect = step.value
    if (effect.kind === 'pause') at = effect.block
    const isInner = effect.kind === 'evaluate' || effect.kind === 'holiday' || effect.kind === 'pause'
    const answer = isInner ? steadyAnswer(effect) : { ...randomAnswer(effect, chance), ms: 0 }
    if (!isInner) calls.push({ kind: effect.kind, block: at, answer })
    step = steps.next(answer)
  }
  return { result: step.value, calls }
}

const standingIn = ({ status, frames }: ConversationState, release: Release): Standing => {
  const frame = frames.at(-1)
  if (status === 'waiting' && frame?.wait !== undefined)
    return waitingAt(release, { ...frame.wait, dialog: frame.dialog })
  return { status: status === 'agent' || status === 'ended' ? status : 'idle' }
}

/** Talks with a bot, one turn for each seed, and records the talk as the log of conversations has it. */
const recordedTalk = ({ release, settings }: Environment, seeds: readonly number[]): Recording => {
  const user = { id: 'u' }
  const start = newConversation({ id: 'c', started: NOW, channel: { id: 'w', type: 'webchat' }, user, locale: 'pt' })
  const turns: RecordedTurn[] = []
  let said: readonly BotMessage[] = []
  let state = start
  for (const [place, seed] of seeds.entries()) {
    const chance = new Chance(seed)
    const now = NOW + place * MINUTE_MS
    const input: TurnInput = place === 0 ? { kind: 'open' } : randomInput(state, said, chance)
    const standing = standingIn(state, release)
    const block = state.frames.at(-1)?.block ?? null
    const { result, calls } = driven(
      runTurn({ release, settings, now, seed, pausing: true }, state, input),
      block,
      chance,
    )
    const path = result.steps.map(({ dialog, block, out }) => ({ dialog, block, out }))
    turns.push({ input, now, seed, standing, isHidden: false, calls, path })
    state = result.state
    said = result.said
    if (state.status === 'ended' || result.failed !== undefined) break
  }
  return { id: 'c', state: start, turns }
}

const seed = fc.nat()
const seeds = fc.array(seed, { minLength: 3, maxLength: 8 })

const rehearsed = (
  recording: Recording,
  { settings, from, draft }: { settings: ReturnType<typeof randomSettings>; from: Release; draft: Release },
): Outcome => {
  const answers = new RecordedAnswers(recording)
  const recorded = steadily(walkAgain({ recording, settings, release: from }, answers))
  const today = steadily(walkAnew({ recording, settings, release: from }, answers.answers))
  const after = steadily(walkAnew({ recording, settings, release: draft }, answers.answers))
  return outcomeOf(recording, { recorded, today, after })
}

test('conversations of random flows end the same in an unchanged draft [P-2520]', () => {
  let steps = 0
  fc.assert(
    fc.property(seed, seeds, (bot, turns) => {
      const chance = new Chance(bot)
      const release = randomRelease(chance)
      const settings = randomSettings(chance)
      const recording = recordedTalk({ release, settings }, turns)
      steps += recording.turns.flatMap(({ path }) => path).length
      expect(rehearsed(recording, { settings, from: release, draft: structuredClone(release) })).toEqual({
        kind: 'same',
      })
    }),
    { numRuns: 25, seed: 1 },
  )
  expect(steps).toBeGreaterThan(100)
})

/** A release with another version of one of its blocks. */
const changedAt = (
  release: Release,
  dialog: string,
  change: (block: CompiledBlock) => CompiledBlock,
  id: string,
): Release => {
  const flow = release.dialogs.get(dialog)
  const block = flow?.blocks.get(id)
  if (flow === undefined || block === undefined) return release
  const blocks = new Map(flow.blocks).set(id, change(block))
  return { ...release, dialogs: new Map(release.dialogs).set(dialog, { ...flow, revision: 2, blocks }) }
}

test('a changed block makes a difference only for conversations that passed it [P-2521]', () => {
  const kinds = new Map<string, number>()
  let passed = 0
  fc.assert(
    fc.property(seed, seeds, seed, (bot, turns, place) => {
      const chance = new Chance(bot)
      const release = randomRelease(chance)
      const settings = randomSettings(chance)
      const recording = recordedTalk({ release, settings }, turns)
      const pick = new Chance(place)
      const [dialog, id] = [pick.pick(['d0', 'd1']), `n${pick.below(12)}`]
      const other = randomRelease(pick).dialogs.get(dialog)?.blocks.get(id)
      const draft = changedAt(release, dialog, block => ({ ...(other ?? block), id }), id)
      const isPassed = recording.turns.some(({ path }) => mayDiffer(changeOf(release, draft, settings), path))
      const { kind } = rehearsed(recording, { settings, from: release, draft })
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      if (isPassed) passed += 1
      else expect(kind).toBe('same')
    }),
    { numRuns: 60, seed: 1 },
  )
  expect(passed).toBeGreaterThan(5)
  expect(kinds.get('elsewhere')).toBeGreaterThan(0)
  expect(kinds.get('unknown')).toBeGreaterThan(0)
})
