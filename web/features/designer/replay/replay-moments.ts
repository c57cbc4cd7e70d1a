import { isIntegrationBlock } from '#schemas/blocks/registry.ts'
import type { Json } from '#schemas/event.ts'
import type { Replay, Turn } from '#web/features/conversation/index.ts'
import type { Visit } from '../canvas/visit-layer.tsx'
import type { LinkStep } from '../model/block-appearance.ts'

type Step = Turn['steps'][number]

/** A block as it ran, or a turn in which none did. */
export interface ReplayMoment {
  readonly turn: Turn
  /** Place of the step in its turn; -1 where no block ran. */
  readonly place: number
  readonly step: Step | undefined
  /** When it began, ms since 1970. */
  readonly time: number
  /** The shown dialog: without a block, the previous one. */
  readonly dialog: string | undefined
}

/** All events of a conversation, block by block. A turn is stored at its end, so its steps end then. */
export const momentsOf = (turns: Replay['turns']): readonly ReplayMoment[] => {
  const moments: ReplayMoment[] = []
  for (const turn of turns) {
    let left = turn.steps.reduce((sum, { ms }) => sum + ms, 0)
    const end = Date.parse(turn.time)
    if (turn.steps.length === 0) {
      moments.push({ turn, place: -1, step: undefined, time: end, dialog: moments.at(-1)?.dialog })
    }
    for (const [place, step] of turn.steps.entries()) {
      moments.push({ turn, place, step, time: end - left, dialog: step.dialog })
      left -= step.ms
    }
  }
  return moments
}

/** The output that a step left by; the one by which a called dialog comes back counts from the call on. */
const outOf = ({ out, calls }: Step): string | null => out ?? (typeof calls === 'string' ? calls : null)

export const linkStepsOf = (moments: readonly ReplayMoment[], dialog: string): readonly LinkStep[] =>
  moments.flatMap(({ step }) => (step?.dialog === dialog ? [{ block: step.block, out: outOf(step) }] : []))

/** From this duration in ms, a block shows its duration instead of its time. */
const LONG_MS = 500

interface VisitWords {
  readonly timeOf: (ms: number) => string
  readonly durationOf: (ms: number) => string
}

/** Labels of a dialog's blocks at a moment: last run time and count, and the blocks that run later. */
export const visitsAt = (
  moments: readonly ReplayMoment[],
  at: number,
  dialog: string,
  { timeOf, durationOf }: VisitWords,
): ReadonlyMap<string, Visit> => {
  const visits = new Map<string, Visit>()
  const counts = new Map<string, number>()
  let waited: string | undefined
  for (const [index, { step, time }] of moments.entries()) {
    if (step === undefined || step.dialog !== dialog) continue
    const { block } = step
    if (index > at) {
      if (!visits.has(block)) visits.set(block, { label: '', later: true })
      continue
    }
    // A question is asked in one turn and answered in the next: that is one visit.
    const isSame = waited === `${step.frame} ${block}` && step.tries !== undefined
    const count = (counts.get(block) ?? 0) + (isSame && outOf(step) !== null ? 0 : 1)
    waited = outOf(step) === null ? `${step.frame} ${block}` : undefined
    counts.set(block, count)
    const label = step.ms >= LONG_MS ? durationOf(step.ms) : timeOf(time)
    visits.set(block, { label: count > 1 ? `${count}× · ${label}` : label, failed: step.problem !== undefined })
  }
  return visits
}

/** A variable at a moment. */
export interface HeldValue {
  readonly name: string
  readonly scope: Turn['kept'][number]['scope']
  readonly kind: string
  /** Absent where it may not be read, or was written over within the same turn. */
  readonly value?: Json
  readonly hidden: boolean
  /** Written by the step at this moment. */
  readonly isNew: boolean
  /** Value before this moment. */
  readonly before?: Json
  /** The block that wrote it, where one did. */
  readonly by?: { readonly dialog: string; readonly block: string }
}

/** Values after a step: written by earlier turns, and by this turn up to it. */
export const valuesAt = (moments: readonly ReplayMoment[], at: number, words: boolean): readonly HeldValue[] => {
  const values = new Map<string, HeldValue>()
  for (const [index, { turn, step, place }] of moments.entries()) {
    if (index > at) break
    const isLast = place === turn.steps.length - 1 || place === -1
    const named = new Set(step?.wrote ?? [])
    for (const kept of turn.kept) {
      const { name, scope, kind, masked } = kept
      // Values no step names were written by the whole turn.
      const isOfTurn = isLast && !turn.steps.some(({ wrote }) => wrote.includes(name))
      if (!named.has(name) && !isOfTurn) continue
      const before = values.get(name)
      const isFinal = !turn.steps.slice(place + 1).some(({ wrote }) => wrote.includes(name))
      const hidden = !words || masked || !Object.hasOwn(turn.wrote, name)
      values.set(name, {
        name,
        scope,
        kind,
        hidden,
        isNew: index === at,
        ...(hidden || !isFinal ? {} : { value: turn.wrote[name] ?? null }),
        ...(before?.value === undefined ? {} : { before: before.value }),
        ...(step === undefined || isOfTurn ? {} : { by: { dialog: step.dialog, block: step.block } }),
      })
    }
    if (isLast) for (const name of turn.dropped) values.delete(name)
    if (index < at) {
      for (const name of [...named, ...turn.kept.map(({ name }) => name)]) {
        const held = values.get(name)
        if (held?.isNew) values.set(name, { ...held, isNew: false })
      }
    }
  }
  return [...values.values()].sort((a, b) => a.name.localeCompare(b.name))
}

/** A stretch of the conversation with the bot, in a queue of the desk, or with a person. */
interface Stretch {
  readonly kind: 'bot' | 'queue' | 'agent'
  readonly start: number
  readonly end: number
}

export interface Lanes {
  /** When the person said something, and when the bot did, ms since 1970. */
  readonly person: readonly number[]
  readonly bot: readonly number[]
  /** When an agent did. */
  readonly agent: readonly number[]
  /** Calls, from when on and how long, ms. */
  readonly services: readonly { readonly start: number; readonly ms: number; readonly failed: boolean }[]
  readonly stretches: readonly Stretch[]
}

type Talk = Pick<Replay, 'agentsaid' | 'desk'>

/** Whether a person waits after an event of the desk; undefined: as before it. */
const WAITS: Readonly<Partial<Record<Talk['desk'][number]['kind'], boolean>>> = {
  queued: true,
  released: true,
  assigned: false,
}

const stretchesOf = (moments: readonly ReplayMoment[], { agentsaid, desk }: Talk): readonly Stretch[] => {
  const stretches: { kind: Stretch['kind']; start: number; end: number }[] = []
  const changes: readonly { readonly time: number; readonly waits?: boolean; readonly isWithAgent?: boolean }[] = [
    ...moments.map(({ turn, time }) => ({ time, isWithAgent: turn.status === 'agent' })),
    ...agentsaid.map(({ time }) => ({ time: Date.parse(time) })),
    ...desk.map(({ time, kind, why }) => ({
      time: Date.parse(time),
      ...(kind in WAITS && why !== 'transfer' ? { waits: WAITS[kind] === true } : {}),
    })),
  ].toSorted((one, other) => one.time - other.time)
  let isWithAgent = false
  let waits = false
  for (const change of changes) {
    const last = stretches.at(-1)
    // A chat at the desk begins in its queue.
    if (change.isWithAgent === true && !isWithAgent) waits = desk.length > 0
    isWithAgent = change.isWithAgent ?? isWithAgent
    waits = change.waits ?? waits
    const kind = !isWithAgent ? 'bot' : waits ? 'queue' : 'agent'
    if (last !== undefined) last.end = change.time
    if (last?.kind !== kind) stretches.push({ kind, start: change.time, end: change.time })
  }
  return stretches
}

export const lanesOf = (moments: readonly ReplayMoment[], talk: Talk): Lanes => {
  const turns = [...new Set(moments.map(({ turn }) => turn))]
  return {
    person: turns.flatMap(({ input }) => (input.kind === 'message' ? [Date.parse(input.time)] : [])),
    bot: turns.flatMap(turn => (turn.said.length === 0 ? [] : [Date.parse(turn.time)])),
    agent: talk.agentsaid.flatMap(({ from, time }) => (from === 'agent' ? [Date.parse(time)] : [])),
    services: moments.flatMap(({ step, time }) =>
      step !== undefined && isIntegrationBlock(step.type) && step.ms > 0
        ? [{ start: time, ms: step.ms, failed: step.problem !== undefined }]
        : [],
    ),
    stretches: stretchesOf(moments, talk),
  }
}

const MAX_SLOWEST = 4

/** The steps that took longest, the longest first. */
export const slowestMoments = (moments: readonly ReplayMoment[]): readonly ReplayMoment[] =>
  moments
    .filter(({ step }) => (step?.ms ?? 0) >= LONG_MS)
    .sort((a, b) => (b.step?.ms ?? 0) - (a.step?.ms ?? 0))
    .slice(0, MAX_SLOWEST)

/** The index of the moment nearest to a time, ms since 1970. */
export const nearestMomentIndex = (moments: readonly ReplayMoment[], time: number): number => {
  let near = 0
  for (const [index, moment] of moments.entries()) {
    const held = moments[near]?.time ?? 0
    if (Math.abs(moment.time - time) <= Math.abs(held - time)) near = index
  }
  return near
}
