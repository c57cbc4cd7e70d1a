import type { z } from 'zod'
import type { AnswerOf } from '#domain/conversation/effect.ts'
import { actionsOf, dataOf, pressOf, type TurnInput } from '#domain/conversation/message.ts'
import {
  simulationAnswer,
  simulationClock,
  simulationEmpty,
  simulationRerun,
  simulationRun,
  simulationSay,
  simulationSet,
} from '#schemas/api/simulation.ts'
import { isObject } from '#schemas/json.ts'
import { accepted, type Refusal, type Result, refused } from '#schemas/refusal.ts'
import { type ActiveSimulation, advance, answerCall, settle, type Until } from './open-simulations.ts'
import type { Simulation } from './simulation.ts'

type Said = z.output<typeof simulationSay>

const missing = (path: string) => refused('validation.failed', { errors: [{ path, code: 'required' }] })
const unknown = (path: string) => refused('validation.failed', { errors: [{ path, code: 'option' }] })

const messageOf = (simulation: Simulation, { of }: Pick<Said, 'of'>) =>
  of === undefined ? undefined : simulation.turns.flatMap(({ said }) => said).find(({ id }) => id === of)

const choiceOf = (simulation: Simulation, { of, value }: Said): Result<TurnInput> => {
  const messages = simulation.turns.flatMap(({ said }) => said)
  const message = of === undefined ? messages.at(-1) : messageOf(simulation, { of })
  const action = message && actionsOf(message).find(({ id }) => id === value)
  if (message === undefined || action === undefined) return unknown('value')
  return accepted(pressOf(message, action))
}

const menuOf = (simulation: Simulation, value = ''): Result<TurnInput> => {
  if (value === 'restart' || value === 'agent') return accepted({ kind: 'menu', command: value })
  return simulation.settings.tasks.has(value)
    ? accepted({ kind: 'menu', command: 'task', task: value })
    : unknown('value')
}

/** Input of a simulated person, in the form that the interpreter takes. */
export const simulationInput = (simulation: Simulation, said: Said): Result<TurnInput> => {
  switch (said.type) {
    case 'text':
      return said.text === undefined ? missing('text') : accepted({ kind: 'text', text: said.text })
    case 'choice':
      return choiceOf(simulation, said)
    case 'menu':
      return menuOf(simulation, said.value)
    case 'location':
      return isObject(said.data) ? accepted({ kind: 'location', location: said.data }) : missing('data')
    case 'attachment': {
      const attachments = said.attachments ?? []
      if (attachments.length === 0) return missing('attachments')
      return accepted({ kind: 'attachment', attachments, ...(said.text === undefined ? {} : { text: said.text }) })
    }
    case 'order':
    case 'submit':
      return said.data === undefined
        ? missing('data')
        : accepted(dataOf(said.type, said.data, messageOf(simulation, said)))
    default:
      return said.type satisfies never
  }
}

/** Stop condition of a request's turn. */
export const stopOf = ({ paused, until }: { readonly paused: boolean; readonly until: readonly string[] }): Until =>
  paused ? { kind: 'block' } : { kind: 'end', at: until }

/** Next event of the clock: a schedule, the end of waiting, or a reminder. */
const dueInput = ({ state, now }: Simulation): TurnInput | undefined => {
  const planned = state.schedules.find(({ at }) => at <= now)
  if (planned !== undefined) return { kind: 'schedule', id: planned.id }
  const wait = state.status === 'waiting' ? state.frames.at(-1)?.wait : undefined
  if (wait?.endAt !== undefined && wait.endAt <= now) return { kind: 'timeout' }
  return wait?.remindAt !== undefined && wait.remindAt <= now ? { kind: 'reminder' } : undefined
}

const givenAnswer = ({ status, body, error }: z.output<typeof simulationAnswer>): AnswerOf<'rest'> => {
  if (error !== undefined) return { kind: 'rest', ms: 0, ok: false, error: { code: error, message: error } }
  if (status >= 200 && status < 300) return { kind: 'rest', ms: 0, ok: true, status, body: body ?? null }
  return {
    kind: 'rest',
    ms: 0,
    ok: false,
    error: { code: 'http', message: `HTTP ${status}`, status, ...(body === undefined ? {} : { body }) },
  }
}

type AddAct = <B>(
  name: string,
  body: z.ZodType<B>,
  act: (held: ActiveSimulation, body: B) => Promise<Refusal | undefined>,
) => unknown

/** Actions on a simulation; each is refused if it does not fit the state of the turn. */
export const addSimulationActions = (add: AddAct): void => {
  add('say', simulationSay, async (held, said) => {
    if (held.simulation.pending !== undefined) return { code: 'simulation.turn' }
    const input = simulationInput(held.simulation, said)
    if (!input.ok) return input.refusal
    if (!held.simulation.begin(input.value, Math.max(0, Date.now() - held.shown))) return { code: 'simulation.turn' }
    await advance(held, stopOf(said), true)
    return undefined
  })
  add('step', simulationEmpty, async held => {
    if (held.simulation.pending?.kind !== 'pause') return { code: 'simulation.turn' }
    await advance(held, { kind: 'block' })
    return undefined
  })
  add('run', simulationRun, async (held, { until }) => {
    if (held.simulation.pending?.kind !== 'pause') return { code: 'simulation.turn' }
    await advance(held, { kind: 'end', at: until })
    return undefined
  })
  add('back', simulationEmpty, async held => {
    if (!held.simulation.back()) return { code: 'simulation.turn' }
    await settle(held)
    return undefined
  })
  add('rerun', simulationRerun, async (held, { dialog, block, paused, until }) => {
    if (!held.simulation.backTo({ dialog, block })) return { code: 'simulation.turn' }
    if (!paused) await advance(held, { kind: 'end', at: until })
    else await settle(held)
    return undefined
  })
  add('set', simulationSet, async (held, change) => {
    if (!held.simulation.change(change)) return { code: 'simulation.turn' }
    await settle(held)
    return undefined
  })
  add('clock', simulationClock, async (held, { now }) => {
    if (held.simulation.pending !== undefined) return { code: 'simulation.turn' }
    held.simulation.now = Date.parse(now)
    for (let due = dueInput(held.simulation); due !== undefined; due = dueInput(held.simulation)) {
      if (!held.simulation.begin(due)) break
      await advance(held, { kind: 'end', at: [] }, true)
      if (held.simulation.pending !== undefined) break
    }
    return undefined
  })
  add('answer', simulationAnswer, async (held, given) => {
    if (held.simulation.pending?.kind !== 'rest') return { code: 'simulation.turn' }
    await answerCall(held, given.real ? undefined : givenAnswer(given))
    await advance(held, { kind: 'end', at: given.until })
    return undefined
  })
}
