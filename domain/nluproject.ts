import { brain } from '#schemas/entities/brain.ts'
import { nluproject } from '#schemas/entities/nluproject.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { Behaviour, NamedCommand } from './behaviour.ts'
import { eventOf } from './entity.ts'
import { trainingCommands } from './nlu-training.ts'

export interface NluProjectFacts {
  /** The wanted parent inherits from the project itself. */
  readonly cycle: boolean
}

const CYCLE = refused('validation.failed', { errors: [{ path: 'inheritfrom', code: 'cycle' }] })

const projectBehaviour = (entity: EntityDeclaration) =>
  ({
    commands: trainingCommands(entity),
    onCreate: fields => accepted(fields),
    onChange: (_state, changes, { facts }) => (facts.cycle ? CYCLE : accepted(changes)),
  }) satisfies Behaviour<NluProjectFacts>

/** Lines that are dismissed, the last ones. */
const MAX_DISMISSED = 2000
/** SHA-256, hex: the words themselves are people's, and stay in their conversations. */
const LINE = /^[\da-f]{64}$/u

/** Names of the dismissed lines. */
export const dismissedOf = (value: Json | undefined): readonly string[] =>
  (Array.isArray(value) ? value : []).filter(each => typeof each === 'string')

/** Takes what people said off the list of what nobody understood, or puts it back. */
const dismissLine: NamedCommand = {
  decide({ fields }, { line, done }) {
    const name = String(line)
    if (!LINE.test(name)) return refused('validation.failed', { errors: [{ path: 'line', code: 'format' }] })
    const known = dismissedOf(fields.dismissed)
    const others = known.filter(each => each !== name)
    const isDismissed = done !== false
    if (isDismissed === others.length < known.length) return accepted([])
    const dismissed = isDismissed ? [name, ...others].slice(0, MAX_DISMISSED) : others
    return accepted([eventOf(nluproject, isDismissed ? 'LineDismissed' : 'LineBroughtBack', { fields: { dismissed } })])
  },
}

const { commands, ...rules } = projectBehaviour(nluproject)
/** Rules of an NLU project. */
export const nluProjectBehaviour = { ...rules, commands: { ...commands, dismissline: dismissLine } }
/** Rules of a brain. */
export const brainBehaviour = projectBehaviour(brain)
