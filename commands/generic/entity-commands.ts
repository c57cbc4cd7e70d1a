import type { Behaviour, NoFacts } from '#domain/behaviour.ts'
import { accepted } from '#schemas/refusal.ts'
import type { EntityCommands, EntityRules, LoadFacts, RegisteredCommand } from '../pipeline/command-context.ts'
import { decisionContext } from '../pipeline/decision-context.ts'
import { idempotent } from '../pipeline/idempotent.ts'
import { change } from './change.ts'
import { create } from './create.ts'
import { namedAttempt } from './named-command.ts'
import { remove } from './remove.ts'
import { restore } from './restore.ts'

export type GenericName = 'create' | 'change' | 'remove' | 'restore'

/** Commands of every entity. */
export const GENERIC: Readonly<Record<GenericName, RegisteredCommand>> = {
  create: { permission: 'create', attempt: idempotent(create) },
  change: { permission: 'update', attempt: idempotent(change) },
  remove: { permission: 'delete', attempt: idempotent(remove) },
  restore: { permission: 'update', attempt: idempotent(restore) },
}

export const noFacts: LoadFacts<NoFacts> = async () => ({})

/** The behaviour's checks, each behind the loading of its facts. */
const rulesFrom = <Facts>(behaviour: Behaviour<Facts>, load: LoadFacts<Facts>): EntityRules => ({
  async onCreate(context, run, state, fields) {
    const decision = await decisionContext(load, context, run, state, fields)
    return behaviour.onCreate?.(fields, decision) ?? accepted(fields)
  },
  async onChange(context, run, state, changes) {
    const decision = await decisionContext(load, context, run, state, changes)
    return behaviour.onChange?.({ ...state, status: 'live' }, changes, decision) ?? accepted(changes)
  },
  async onRemove(context, run, state) {
    const decision = await decisionContext(load, context, run, state, {})
    return behaviour.onRemove?.(state, decision) ?? accepted(null)
  },
})

/** The behaviour's named commands; each has a permission of the same name. */
const namedFrom = <Facts>(behaviour: Behaviour<Facts>, load: LoadFacts<Facts>) =>
  Object.fromEntries(
    Object.entries(behaviour.commands).map(([name, command]): [string, RegisteredCommand] => [
      name,
      { permission: name, attempt: namedAttempt(command, load) },
    ]),
  )

type Behaving<Facts, Named> = Omit<Behaviour<Facts>, 'commands'> & { readonly commands: Named }

/** Everything that commands do with an entity: the generic commands under its rules, and its named commands. */
export const entityCommands = <Facts, Named extends Behaviour<Facts>['commands']>(
  behaviour: Behaving<Facts, Named>,
  load: LoadFacts<Facts>,
): EntityCommands<GenericName | (keyof Named & string)> => ({
  rules: rulesFrom(behaviour, load),
  // Object.fromEntries forgets the names.
  commands: { ...GENERIC, ...namedFrom(behaviour, load) } as EntityCommands<
    GenericName | (keyof Named & string)
  >['commands'],
})

/** The same commands with `more`, which replace those of the same name. */
export const withCommands = <Name extends string, More extends string>(
  { rules, commands }: EntityCommands<Name>,
  more: Readonly<Record<More, RegisteredCommand>>,
): EntityCommands<Name | More> => ({
  rules,
  commands: { ...commands, ...more } as EntityCommands<Name | More>['commands'],
})
