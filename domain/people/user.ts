import type { Json } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Behaviour, Circumstance, Live } from '../behaviour.ts'
import { checkPassword, passwordDate } from './password.ts'
import { checkRights } from './right.ts'
import { userCommands } from './user-command.ts'

type Fields = Live['fields']

/**
 * Facts beside those of rights: `passwordhash`, the hash of the password in the fields; `unruled`, who runs the machine
 * chose it; `email`, the user's own as it will be.
 */
export const userBehaviour: Behaviour = {
  commands: userCommands,
  onCreate: (fields, circumstance) => check(fields, circumstance),
  onChange(state, changes, circumstance) {
    if (state.fields.forgotten === true) return refused('user.forgotten')
    const removedPassword = 'password' in changes && changes.password === null
    if (!removedPassword) return check(changes, circumstance)
    return refused('validation.failed', { errors: [{ path: 'password', code: 'required' }] })
  },
  onRemove: (_state, circumstance) => checkRights(circumstance),
}

const check = (fields: Fields, circumstance: Circumstance): Result<Fields> => {
  const rights = checkRights(circumstance)
  if (!rights.ok) return rights
  if (isForeignAddress(fields.username, circumstance.facts.email)) {
    return refused('validation.failed', { errors: [{ path: 'username', code: 'format' }] })
  }
  return typeof fields.password === 'string' ? withPassword(fields, fields.password, circumstance) : accepted(fields)
}

const withPassword = (fields: Fields, password: string, { facts, time }: Circumstance): Result<Fields> => {
  const rules = checkPassword(password, 'password')
  if (!rules.ok && facts.unruled !== true) return rules
  return accepted({ ...fields, password: facts.passwordhash ?? null, last_password_changed_at: passwordDate(time) })
}

/** A username that looks like an e-mail address must be one's own: people sign in with either. */
const isForeignAddress = (username: Json | undefined, email: Json | undefined): boolean =>
  typeof username === 'string' &&
  username.includes('@') &&
  (typeof email !== 'string' || email.toLowerCase() !== username.trim().toLowerCase())
