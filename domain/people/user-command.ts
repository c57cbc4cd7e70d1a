import { z } from 'zod'
import type { Json, JsonObject } from '#schemas/event.ts'
import { OPTIONAL_MAIL_KINDS } from '#schemas/events/mail.ts'
import { SIGN_IN_WAYS } from '#schemas/events/session.ts'
import { jsonEqual, textOf } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Behaviour, DecisionContext, DomainEvent, Live, NamedCommand as Named } from '../behaviour.ts'
import { addedPasskey, afterPasskeyUse, MAX_PASSKEYS, passkeyName, passkeysOf, passkeyUse } from './passkey.ts'
import { checkPassword, passwordDate } from './password.ts'
import { checkRights, type RightsFacts } from './permission.ts'

type Fields = Live['fields']
type Events = Result<readonly DomainEvent[]>

export interface UserFacts extends RightsFacts {
  /** Hash of the password in the fields. */
  readonly passwordhash?: string
  /** The machine's operator chose the password: no rules apply. */
  readonly unruled?: boolean
  /** The user's own address after the command. */
  readonly email?: Json
  /**
   * For a caller that provisions people, whose names may look like another address than their own: the field whose new
   * value is how another person signs in.
   */
  readonly takenBy?: { readonly field: 'username' | 'email' | null }
  /** Data of a sign-in step, encrypted for its target field. */
  readonly sealed?: Json
  /** The secret that is confirmed is the one that was offered last. */
  readonly pending?: boolean
}

type Context = DecisionContext<UserFacts>
type NamedCommand = Named<UserFacts>

const event = (
  verb: string,
  fields: Fields,
  source?: { readonly kind: string; readonly id?: string },
): DomainEvent => ({
  type: `User${verb}`,
  version: 1,
  data: { fields, ...(source === undefined ? {} : { source }) } as DomainEvent['data'],
})
const events = (...made: DomainEvent[]): Events => accepted(made)

/** Accounts of one user at identity providers that are kept. */
const MAX_IDENTITIES = 20

/** Refused for a forgotten user, whose stream is closed. */
const declared = (decide: (state: Live, input: JsonObject, context: Context) => Events): NamedCommand => ({
  decide: (state, given, context) =>
    state.fields.forgotten === true ? refused('user.forgotten') : decide(state, given, context),
})

const command = (
  input: z.ZodObject,
  decide: (state: Live, input: JsonObject, context: Context) => Events,
): NamedCommand => ({ input, ...declared(decide) })

const nothing = z.strictObject({})

const FORGOTTEN: Fields = {
  username: null,
  firstname: null,
  lastname: null,
  email: null,
  gender: null,
  profilepic: null,
  password: null,
  twofactorsecret: null,
  twofactorpending: null,
  recoverycodes: [],
  identities: [],
  externalid: null,
  externalkey: null,
  passkeys: null,
  mailoff: [],
  twofactorenabled: false,
  usergroup: [],
  locked: true,
  forgotten: true,
}

/** Commands that people with the right to give them. */
const administrative = {
  lock: declared(({ fields }, _input, context) => {
    if (fields.locked === true) return events()
    const rights = checkRights(context)
    return rights.ok ? events(event('Locked', { locked: true })) : rights
  }),

  unlock: declared(({ fields }) =>
    fields.locked === true || fields.loginattempts !== 0
      ? events(event('Unlocked', { locked: false, loginattempts: 0 }))
      : events(),
  ),

  reset2fa: declared(({ fields }, _input, context) => {
    const hasPasskeys = passkeysOf(fields.passkeys).length > 0
    if (fields.twofactorenabled !== true && fields.twofactorpending === null && !hasPasskeys) return events()
    const rights = checkRights(context)
    if (!rights.ok) return rights
    const demanded = fields.enabletwofactor === true || fields.twofactorenabled === true
    return events(
      event('TwoFactorReset', {
        twofactorenabled: false,
        twofactorsecret: null,
        twofactorpending: null,
        recoverycodes: [],
        passkeys: null,
        enabletwofactor: demanded,
      }),
    )
  }),

  /** `facts.sealed` is the hash of the password that is handed out; without a date it has to be changed. */
  resetpassword: declared((_state, _input, context) => {
    const rights = checkRights(context)
    if (!rights.ok) return rights
    const { sealed = null } = context.facts
    return events(event('PasswordReset', { password: sealed, last_password_changed_at: null, loginattempts: 0 }))
  }),

  forget: {
    decide({ fields }, _input, context) {
      if (fields.forgotten === true) return events()
      const rights = checkRights(context)
      return rights.ok ? events(event('Forgotten', FORGOTTEN)) : rights
    },
  },
} satisfies Readonly<Record<string, NamedCommand>>

const WITHOUT_CREDENTIALS: Fields = {
  password: null,
  last_password_changed_at: null,
  twofactorenabled: false,
  twofactorsecret: null,
  twofactorpending: null,
  recoverycodes: [],
}

/** The values that differ from the present ones. */
const changedOf = (present: Fields, wanted: Fields): Fields =>
  Object.fromEntries(Object.entries(wanted).filter(([name, value]) => !jsonEqual(value, present[name] ?? null)))

/** Commands that sign-in gives on the system's behalf; no role can name a permission for them. */
const ownSteps = {
  /**
   * `changed`: the password date that was seen when the password was checked; `step`: of the code, where one was asked for;
   * `recovery`: hash of the recovery code that stood for it, which is used up; `provider` and `identity`: of a sign-in at
   * an identity provider; `passkey`: its verified use, for which no password was checked; `breakglass`: although providers
   * alone are to be used.
   */
  signin: command(
    z.strictObject({
      changed: z.string().nullable(),
      step: z.int().nullable(),
      recovery: z.string().optional(),
      way: z.enum(SIGN_IN_WAYS).default('password'),
      provider: z.string().optional(),
      identity: z.string().optional(),
      passkey: passkeyUse.optional(),
      breakglass: z.boolean().optional(),
    }),
    ({ fields }, input, { time }) => {
      const { changed, step, recovery, way = 'password', provider, identity, breakglass } = input
      if (fields.locked === true) return refused('auth.locked')
      const passkey = input.passkey === undefined ? undefined : passkeyUse.parse(input.passkey)
      const passkeys = passkey && afterPasskeyUse(passkeysOf(fields.passkeys), passkey, time)
      if (passkey !== undefined && passkeys === undefined) return refused('auth.passkey')
      if (way !== 'passkey' && fields.last_password_changed_at !== changed) return refused('auth.invalid')
      if (step !== null && isUsed(fields, step)) return refused('auth.twofactor')
      const codes = names(fields.recoverycodes)
      if (typeof recovery === 'string' && !codes.includes(recovery)) return refused('auth.twofactor')
      const used = step === null ? {} : { twofactorstep: step ?? null }
      const identities = names(fields.identities)
      const isLinked = typeof identity !== 'string' || identities.includes(identity)
      const signed = event(
        'SignedIn',
        {
          loginattempts: 0,
          login_timestamp: time,
          action_timestamp: time,
          signin_way: way,
          ...used,
          ...(passkeys === undefined ? {} : { passkeys: [...passkeys] }),
          ...(isLinked ? {} : { identities: [...identities, identity].slice(-MAX_IDENTITIES) }),
        },
        { kind: String(way), ...(typeof provider === 'string' ? { id: provider } : {}) },
      )
      return events(
        ...(recovery === undefined
          ? []
          : [event('RecoveryCodeUsed', { recoverycodes: codes.filter(code => code !== recovery) })]),
        ...(breakglass === true ? [event('Breakglass', {})] : []),
        signed,
      )
    },
  ),

  /** `lock`: as many failures as are allowed; the last administrator is slowed down instead. */
  failsignin: command(z.strictObject({ lock: z.boolean() }), ({ fields }, { lock }, { facts }) => {
    const failed = event('SignInFailed', { loginattempts: Number(fields.loginattempts) + 1 })
    const locks = lock === true && fields.locked !== true && facts.lastadministrator !== true
    return locks ? events(failed, event('Locked', { locked: true })) : events(failed)
  }),

  signout: command(nothing, (_state, _input, { time }) =>
    events(event('SignedOut', { logout_timestamp: time, action_timestamp: time })),
  ),

  /** `facts.sealed` is the hash; `by`: with a link in a mail, without the old password. */
  changepassword: command(
    z.strictObject({
      hash: z.string(),
      changed: z.string().nullable(),
      step: z.int().nullable(),
      by: z.literal('mail').optional(),
    }),
    ({ fields }, { changed, step, by }, { facts, time }) => {
      if (fields.last_password_changed_at !== changed) return refused('auth.invalid')
      if (step !== null && isUsed(fields, step)) return refused('auth.twofactor')
      const { sealed = null } = facts
      return events(
        event(
          'PasswordChanged',
          {
            password: sealed,
            last_password_changed_at: passwordDate(time),
            loginattempts: 0,
            ...(step === null ? {} : { twofactorstep: step ?? null }),
          },
          by === undefined ? undefined : { kind: 'mail' },
        ),
      )
    },
  ),

  /**
   * Confirms a right code for `pending`, sealed as shown; `facts.sealed` is the same secret for the active field.
   * Recorded use of the old authenticator does not apply to it.
   */
  confirmtwofactor: command(
    z.strictObject({ secret: z.string(), step: z.int() }),
    (_state, { step }, { facts: { sealed = null, pending } }) => {
      if (pending !== true) return refused('auth.twofactor')
      return events(
        event('TwoFactorVerified', {
          twofactorenabled: true,
          twofactorsecret: sealed,
          twofactorpending: null,
          twofactorstep: step ?? null,
          recoverycodes: [],
        }),
      )
    },
  ),

  /** `hashes` of new recovery codes, in place of those there were. */
  makerecoverycodes: command(z.strictObject({ hashes: z.array(z.string()) }), ({ fields }, { hashes = null }) =>
    fields.twofactorenabled === true
      ? events(event('RecoveryCodesMade', { recoverycodes: names(hashes) }))
      : refused('user.twofactor.missing'),
  ),

  /** `facts.sealed` is the name. */
  addpasskey: command(addedPasskey, ({ fields }, input, { facts: { sealed = null }, time }) => {
    const passkeys = passkeysOf(fields.passkeys)
    const added = { ...addedPasskey.parse(input), name: sealed, created_at: time, last_used_at: null }
    if (passkeys.some(({ id }) => id === added.id)) return refused('user.passkey.exists')
    if (passkeys.length >= MAX_PASSKEYS) return refused('user.passkey.many', { params: { max: MAX_PASSKEYS } })
    return events(event('PasskeyAdded', { passkeys: [...passkeys, added] }))
  }),

  renamepasskey: command(
    z.strictObject({ id: z.string(), name: passkeyName }),
    ({ fields }, { id }, { facts: { sealed = null } }) => {
      const passkeys = passkeysOf(fields.passkeys)
      if (!passkeys.some(one => one.id === id)) return refused('entity.notfound')
      const renamed = passkeys.map(one => (one.id === id ? { ...one, name: sealed } : one))
      return events(event('PasskeyRenamed', { passkeys: renamed }))
    },
  ),

  /** Refuses to remove the last factor of a person who must have one. */
  removepasskey: command(z.strictObject({ id: z.string() }), ({ fields }, { id }) => {
    const passkeys = passkeysOf(fields.passkeys)
    const left = passkeys.filter(one => one.id !== id)
    if (left.length === passkeys.length) return refused('entity.notfound')
    const mustHaveOne = fields.enabletwofactor === true || fields.breakglass === true
    if (left.length === 0 && mustHaveOne && fields.twofactorenabled !== true) return refused('user.passkey.last')
    return events(event('PasskeyRemoved', { passkeys: left }))
  }),

  /** A verified passkey that was shown for something else than signing in. */
  usepasskey: command(passkeyUse, ({ fields }, input, { time }) => {
    const passkeys = afterPasskeyUse(passkeysOf(fields.passkeys), passkeyUse.parse(input), time)
    return passkeys === undefined ? refused('auth.passkey') : events(event('PasskeyUsed', { passkeys: [...passkeys] }))
  }),

  /** A copied passkey was shown: its signature is right, and its counter did not rise. */
  refusepasskey: command(nothing, () => events(event('PasskeyRefused', {}))),

  /** `off`: kinds of mail that are not sent to them. */
  choosemail: command(z.strictObject({ off: z.array(z.enum(OPTIONAL_MAIL_KINDS)) }), ({ fields }, { off = null }) => {
    const chosen = [...new Set(names(off))].toSorted()
    return jsonEqual(chosen, fields.mailoff ?? []) ? events() : events(event('MailChosen', { mailoff: chosen }))
  }),

  /** A right code that was shown for something else than signing in. */
  usecode: command(z.strictObject({ step: z.int() }), ({ fields }, { step }) =>
    isUsed(fields, step) ? refused('auth.twofactor') : events(event('CodeUsed', { twofactorstep: step ?? null })),
  ),

  /**
   * Links a user to their first account at a provider, and removes the credentials of before. `proven`: ISO time at which
   * the owner of the address chose the password; null: never. Of two accounts one is linked: the other is refused.
   */
  link: command(
    z.strictObject({ proven: z.string().nullable(), provider: z.string(), identity: z.string() }),
    ({ fields }, { proven = null, provider, identity = null }) => {
      const identities = names(fields.identities)
      if (identities.includes(String(identity))) return events()
      if (identities.length > 0 || fields.locked === true || fields.breakglass === true)
        return refused('entity.conflict')
      const source = { kind: 'oidc', id: String(provider) }
      const linked = event('Linked', { identities: [identity] }, source)
      const passkeys = passkeysOf(fields.passkeys)
      const kept = proven === null ? [] : passkeys.filter(({ created_at }) => created_at >= String(proven))
      const isRegistered = fields.twofactorenabled === true
      const hasMore = proven === null && (fields.password !== null || isRegistered || fields.twofactorpending !== null)
      if (kept.length === passkeys.length && !hasMore) return events(linked)
      const removed: Fields = {
        ...(proven === null ? WITHOUT_CREDENTIALS : {}),
        ...(proven === null && isRegistered ? { enabletwofactor: true } : {}),
        passkeys: kept.length === 0 ? null : [...kept],
      }
      return events(event('CredentialsRemoved', changedOf(fields, removed), source), linked)
    },
  ),

  /**
   * Restores access: `facts.sealed` is the hash of a separate password, `groups` those of the administrators. With
   * `breakglass` the password works although providers alone sign in, and a second factor is registered with it.
   */
  recover: command(
    z.strictObject({ hash: z.string(), groups: z.array(z.string()), breakglass: z.boolean().default(false) }),
    ({ fields }, { groups = null, breakglass }, { facts: { sealed = null }, time }) =>
      events(
        event('Recovered', {
          password: sealed,
          last_password_changed_at: passwordDate(time),
          locked: false,
          loginattempts: 0,
          enabletwofactor: breakglass === true,
          ...(breakglass === true ? { breakglass: true } : {}),
          twofactorenabled: false,
          twofactorsecret: null,
          twofactorpending: null,
          recoverycodes: [],
          passkeys: null,
          usergroup: [...new Set([...names(fields.usergroup), ...names(groups)])],
        }),
      ),
  ),
} satisfies Readonly<Record<string, NamedCommand>>

export const userCommands = { ...administrative, ...ownSteps }

const isUsed = (fields: Fields, step: unknown): boolean =>
  typeof step !== 'number' || (typeof fields.twofactorstep === 'number' && step <= fields.twofactorstep)

const names = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : []

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
  const { email, takenBy } = context.facts
  if (takenBy !== undefined && takenBy.field !== null) {
    const name = textOf(fields[takenBy.field])
    return refused('entity.name.taken', { params: { name }, errors: [{ path: takenBy.field, code: 'taken' }] })
  }
  if (takenBy === undefined && isForeignAddress(fields.username, email)) {
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
  /** For a new value of `identifiedby`: the highest level that its author administers. */
  readonly from?: string
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
  if (!rights.ok) return rights
  const { from } = context.facts
  return accepted(from === undefined ? fields : { ...fields, identifiedfrom: from })
}
