import { z } from 'zod'
import { named } from './api/common.ts'

const username = z.string().min(1).max(254)
const password = z.string().max(1024)
/** Six digits, or in their place, at sign-in, a recovery code; blanks between them do not count. */
const code = z.string().max(40)
const optionalCode = code.nullish().transform(value => (value?.trim() ? value : undefined))

/** Members that OAuth clients send along (client_id, grant_type, scope) are accepted and not read. */
export const loginBody = named('Login', z.object({ username, password, token: optionalCode }))

export const loginAnswerSchema = named(
  'LoginAnswer',
  z.object({
    /** Empty while a second factor, or its registration, is still missing. */
    token: z.object({ accessToken: z.string().optional() }),
    /** An authenticator is registered. */
    twofactorenabled: z.boolean(),
    /** Two-factor is demanded of the user. */
    enabletwofactor: z.boolean(),
  }),
)

/** With a session, or with the name and password of a user without one. */
export const registrationBody = named(
  'TwoFactorRegistration',
  z.object({ username: username.optional(), password: password.default('') }),
)

export const registrationAnswerSchema = named(
  'TwoFactorSecret',
  z.object({
    otpauth: z.string(),
    /** The same as a picture: a data URL. */
    qr: z.string(),
    /** Base32. */
    secret: z.string(),
  }),
)

export const verificationBody = named(
  'TwoFactorVerification',
  z.object({ username: username.optional(), password: password.default(''), token: code }),
)

export const recoveryBody = named('RecoveryCodesWish', z.object({ password }))

/** Shown once: the stored form does not reveal them. */
export const recoveryCodesSchema = named('RecoveryCodes', z.object({ codes: z.array(z.string()) }))

export const recoveryStateSchema = named(
  'RecoveryState',
  z.object({ twofactorenabled: z.boolean(), /** Codes that were not used. */ left: z.int() }),
)

export const passwordBody = named(
  'PasswordChange',
  z.object({
    username: username.optional(),
    old: password.default(''),
    new: password,
    confirm: password.default(''),
    token: optionalCode,
  }),
)

export const sessionUserSchema = named(
  'SessionUser',
  z.object({
    user: z.object({
      id: z.string(),
      username: z.string(),
      firstname: z.string().nullable(),
      lastname: z.string().nullable(),
      profilepic: z.string().nullable(),
      language: z.string(),
      /** The level that the session works in. */
      hierarchylevel: z.string(),
      permissions: z.array(z.string()),
      /** The viewer, while the console shows this user's view. */
      seenby: z.object({ id: z.string(), username: z.string() }).optional(),
    }),
  }),
)

/** User to view the console as. */
export const seeAsBody = named('SeeAs', z.strictObject({ user: z.string().min(1).max(100) }))

/** Address and browser at its sign-in; null where none is known, or after 90 days. */
const seenFrom = { address: z.string().nullable(), agent: z.string().nullable() }

/** The caller's own sign-ins that are not over, newest first. */
export const sessionsSchema = named(
  'Sessions',
  z.object({
    items: z.array(
      z.object({
        id: z.string(),
        /** The one that asks. */
        current: z.boolean(),
        started: z.string(),
        expires: z.string(),
        /** The level that it works in. */
        hierarchylevel: z.string(),
        ...seenFrom,
      }),
    ),
  }),
)

/** Own sessions to end: those named, or all but the one that asks. */
export const endSessionsBody = named(
  'EndSessions',
  z.union([
    z.strictObject({ ids: z.array(z.string().max(100)).min(1).max(1000) }),
    z.strictObject({ others: z.literal(true) }),
  ]),
)

/** Sessions of another person to end: those named, or all. */
export const endSessionsOfBody = named(
  'EndSessionsOf',
  z.union([
    z.strictObject({ ids: z.array(z.string().max(100)).min(1).max(1000) }),
    z.strictObject({ all: z.literal(true) }),
  ]),
)

export const userDetailsSchema = named(
  'UserDetails',
  z.object({
    name: z.string(),
    hierarchylevel: z.string(),
    permissions: z.array(z.string()),
    last_password_changed_at: z.string().nullable(),
  }),
)

export const userHierarchySchema = named('UserHierarchy', z.object({ hierarchylevel: z.string() }))

export const levelsSchema = named(
  'Levels',
  z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      parent: z.string().nullable(),
      /** For who may read levels. */
      usergroup: z.string().nullable().optional(),
    }),
  ),
)

export const ticketSchema = named('Ticket', z.object({ ticket: z.string() }))
