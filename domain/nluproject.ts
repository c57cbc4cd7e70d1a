import { brain } from '#schemas/entities/brain.ts'
import { nluproject } from '#schemas/entities/nluproject.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import { accepted, type FieldError, refused } from '#schemas/refusal.ts'
import type { Behaviour, Live, NamedCommand } from './behaviour.ts'
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

const REQUIRED = ['authurl', 'parseurl', 'clientsecret', 'project', 'model', 'timeout', 'minscore'] as const
const POSITIVE = ['timeout', 'minscore'] as const

const isMissing = (value: Json | undefined): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

const errorsOf = (fields: Live['fields']): readonly FieldError[] => [
  ...REQUIRED.filter(name => isMissing(fields[name])).map((path): FieldError => ({ path, code: 'required' })),
  ...POSITIVE.filter(name => typeof fields[name] === 'number' && fields[name] <= 0).map(
    (path): FieldError => ({ path, code: 'format', params: { rule: `nlu${path}` } }),
  ),
]

/** Saved settings of the remote system are complete; the format of downloads is independent. */
export const nluSettingsBehaviour: Behaviour = {
  commands: {},
  onChange(state, changes) {
    if (!REQUIRED.some(name => Object.hasOwn(changes, name))) return accepted(changes)
    const errors = errorsOf({ ...state.fields, ...changes })
    return errors.length === 0 ? accepted(changes) : refused('validation.failed', { errors })
  },
}
