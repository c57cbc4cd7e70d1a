import type { z } from 'zod'
import type { TurnInput } from '#domain/conversation/input.ts'
import { actionsOf } from '#domain/conversation/message.ts'
import { dataOf, pressOf } from '#domain/conversation/press.ts'
import { isObject } from '#domain/flow/document/json.ts'
import type { simulationSay } from '#schemas/api/simulation.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
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
