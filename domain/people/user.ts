import type { Json } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Behaviour, DecisionContext, Live } from '../behaviour.ts'
import { checkPassword, passwordDate } from './password.ts'
import { checkRights, type RightsFacts } from './permission.ts'
import { type UserFacts, userCommands } from './user-command.ts'

type Fields = Live['fields']

type Context = DecisionContext<UserFacts>

export const userBehaviour = {
  commands: userCommands,
  onCreate: (fields, context) => check(fields, context),
  onChange(state, changes, context) {
    if (state.fields.forgotten === true) return refused('user.forgotten')
    const removedPassword = 'password' in changes && changes.password === null
    if (!removedPassword) return check(changes, context)
    return refused('validation.failed', { errors: [{ path: 'password', code: 'required' }] })
  },
  onRemove: (_state, context) => checkRights(context),
} satisfies Behaviour<UserFacts>

const check = (fields: Fields, context: Context): Result<Fields> => {
  const rights = checkRights(context)
  if (!rights.ok) return rights
  if (isForeignAddress(fields.username, context.facts.email)) {
    return refused('validation.failed', { errors: [{ path: 'username', code: 'format' }] })
  }
  return typeof fields.password === 'string' ? withPassword(fields, fields.password, context) : accepted(fields)
}

const withPassword = (fields: Fields, password: string, { facts, time }: Context): Result<Fields> => {
  const rules = checkPassword(password, 'password')
  if (!rules.ok && !facts.unruled) return rules
  return accepted({ ...fields, password: facts.passwordhash ?? null, last_password_changed_at: passwordDate(time) })
}

/** A username that looks like an e-mail address must be one's own: people sign in with either. */
const isForeignAddress = (username: Json | undefined, email: Json | undefined): boolean =>
  typeof username === 'string' &&
  username.includes('@') &&
  (typeof email !== 'string' || email.toLowerCase() !== username.trim().toLowerCase())

export interface UsergroupFacts extends RightsFacts {
  /** The wanted parent is below the group itself. */
  readonly cycle: boolean
}

export const usergroupBehaviour: Behaviour<UsergroupFacts> = {
  commands: {},
  onCreate: (fields, context) => checkUsergroup(fields, context),
  onChange: (_state, changes, context) => checkUsergroup(changes, context),
  onRemove: (_state, context) => checkRights(context),
}

const checkUsergroup = (fields: Live['fields'], context: DecisionContext<UsergroupFacts>): Result<Live['fields']> => {
  if (context.facts.cycle) {
    return refused('validation.failed', { errors: [{ path: 'parent', code: 'cycle' }] })
  }
  const rights = checkRights(context)
  return rights.ok ? accepted(fields) : rights
}
