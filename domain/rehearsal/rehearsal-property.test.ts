import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Chance, randomRelease, randomSettings } from '#domain/conversation/fixture/random-talk.ts'
import type { CompiledBlock, Release } from '#domain/conversation/release.ts'
import { changeOf, mayDiffer } from './changed-blocks.ts'
import { recordedTalk, steadily } from './fixture/recorded-talk.ts'
import type { Recording } from './recording.ts'
import { type Outcome, outcomeOf, RecordedAnswers, walkAgain, walkAnew } from './walk.ts'

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
