import { z } from 'zod'
import { OPTIONAL_MAIL_KINDS } from '../../events/mail.ts'
import { SIGN_IN_WAYS } from '../../events/session.ts'
import { named } from '../common.ts'
import {
  confirmationBody,
  passkeyAssertion,
  passkeyBody,
  passkeyCreationSchema,
  passkeyNameBody,
  passkeyRequestSchema,
  passkeysSchema,
} from '../passkey.ts'
import { defineRoutes } from '../route.ts'
import { nothingSchema } from '../write.ts'

const username = z.string().min(1).max(254)
const password = z.string().max(1024)
/** Six digits, or in their place, at sign-in, a recovery code; blanks between them do not count. */
const code = z.string().max(40)
const optionalCode = code.nullish().transform(value => (value?.trim() ? value : undefined))

/** Members that OAuth clients send along (client_id, grant_type, scope) are accepted and not read. */
const loginBody = named('Login', z.object({ username, password, token: optionalCode }))

const loginAnswerSchema = named(
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
const registrationBody = named(
  'TwoFactorRegistration',
  z.object({ username: username.optional(), password: password.default('') }),
)

const registrationAnswerSchema = named(
  'TwoFactorSecret',
  z.object({
    otpauth: z.string(),
    /** The same as a picture: a data URL. */
    qr: z.string(),
    /** Base32. */
    secret: z.string(),
  }),
)

const verificationBody = named(
  'TwoFactorVerification',
  z.object({ username: username.optional(), password: password.default(''), token: code }),
)

const recoveryBody = named('RecoveryCodesWish', z.object({ password }))

/** Shown once: the stored form does not reveal them. */
const recoveryCodesSchema = named('RecoveryCodes', z.object({ codes: z.array(z.string()) }))

const recoveryStateSchema = named(
  'RecoveryState',
  z.object({ twofactorenabled: z.boolean(), /** Codes that were not used. */ left: z.int() }),
)

const passwordBody = named(
  'PasswordChange',
  z.object({
    username: username.optional(),
    old: password.default(''),
    new: password,
    confirm: password.default(''),
    token: optionalCode,
  }),
)

const forgottenBody = named('PasswordForgotten', z.strictObject({ username }))

/** `token`: the fragment of the address in the mail. */
const newPasswordBody = named(
  'NewPassword',
  z.strictObject({ token: z.string().min(1).max(100), new: password, confirm: password.default('') }),
)

const mailChoiceSchema = named(
  'MailChoice',
  z.object({
    /** Address that mails go to; null: they have none, and get none. */
    email: z.string().nullable(),
    /** Kinds that can be turned off. */
    kinds: z.array(z.object({ kind: z.enum(OPTIONAL_MAIL_KINDS), on: z.boolean() })),
  }),
)

const mailOffBody = named('MailOff', z.strictObject({ off: z.array(z.enum(OPTIONAL_MAIL_KINDS)).max(20) }))

const sessionUserSchema = named(
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
const seeAsBody = named('SeeAs', z.strictObject({ user: z.string().min(1).max(100) }))

/** Address and browser at its sign-in; null where none is known, or after 90 days. */
const seenFrom = { address: z.string().nullable(), agent: z.string().nullable() }

/** The caller's own sign-ins that are not over, newest first. */
const sessionsSchema = named(
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
        way: z.enum(SIGN_IN_WAYS),
        ...seenFrom,
      }),
    ),
  }),
)

/** Own sessions to end: those named, or all but the one that asks. */
const endSessionsBody = named(
  'EndSessions',
  z.union([
    z.strictObject({ ids: z.array(z.string().max(100)).min(1).max(1000) }),
    z.strictObject({ others: z.literal(true) }),
  ]),
)

/** Sessions of another person to end: those named, or all. */
const endSessionsOfBody = named(
  'EndSessionsOf',
  z.union([
    z.strictObject({ ids: z.array(z.string().max(100)).min(1).max(1000) }),
    z.strictObject({ all: z.literal(true) }),
  ]),
)

const userDetailsSchema = named(
  'UserDetails',
  z.object({
    name: z.string(),
    hierarchylevel: z.string(),
    permissions: z.array(z.string()),
    last_password_changed_at: z.string().nullable(),
  }),
)

const userHierarchySchema = named('UserHierarchy', z.object({ hierarchylevel: z.string() }))

const levelsSchema = named(
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

const ticketSchema = named('Ticket', z.object({ ticket: z.string() }))

/** Identity providers that the sign-in page offers. */
const signInProvidersSchema = named(
  'SignInProviders',
  z.object({
    items: z.array(z.object({ id: z.string(), name: z.string() })),
    /** Passwords are for emergencies alone. */
    only: z.boolean(),
    /** PUBLIC_URL: base of the addresses that a provider knows. */
    origin: z.string(),
    /** Origin of the console at which passkeys work; null: nowhere. */
    passkeys: z.string().nullable(),
  }),
)

const providerCodeBody = named('ProviderCode', z.object({ token: code }))

/** Address to sign out at the identity provider; null: there is none. */
const signOutSchema = named('ProviderSignOut', z.object({ url: z.string().nullable() }))

/** Signing in and out, the caller's own sessions and level. */
export const sessionRoutes = defineRoutes({
  'POST /auth/login': { body: loginBody, status: 200, answer: loginAnswerSchema },
  'POST /auth/logout': { status: 204, answer: nothingSchema },
  'GET /auth/user': { status: 200, answer: sessionUserSchema },
  'GET /auth/session': { status: 200, answer: sessionsSchema },
  'POST /auth/session/end': { body: endSessionsBody, status: 204, answer: nothingSchema },
  'GET /user/{id}/sessions': { status: 200, answer: sessionsSchema },
  'POST /user/{id}/endsessions': { body: endSessionsOfBody, status: 204, answer: nothingSchema },
  'GET /auth/oidc': { status: 200, answer: signInProvidersSchema },
  'POST /auth/oidc/register2fa': { status: 200, answer: registrationAnswerSchema },
  'POST /auth/oidc/code': { body: providerCodeBody, status: 200, answer: loginAnswerSchema },
  'POST /auth/oidc/passkey': { body: passkeyAssertion, status: 200, answer: loginAnswerSchema },
  'GET /auth/oidc/signout': { status: 200, answer: signOutSchema },
  'POST /auth/passkey/options': { status: 200, answer: passkeyRequestSchema },
  'POST /auth/passkey': { body: passkeyAssertion, status: 200, answer: loginAnswerSchema },
  'POST /auth/seeas': { body: seeAsBody, status: 204, answer: nothingSchema },
  'POST /auth/seeas/end': { status: 204, answer: nothingSchema },
  'POST /user/register2fa': { tag: 'auth', body: registrationBody, status: 200, answer: registrationAnswerSchema },
  'POST /user/verify2fa': { tag: 'auth', body: verificationBody, status: 200, answer: loginAnswerSchema },
  'GET /user/recoverycodes': { tag: 'auth', status: 200, answer: recoveryStateSchema },
  'POST /user/recoverycodes': { tag: 'auth', body: recoveryBody, status: 200, answer: recoveryCodesSchema },
  'GET /user/passkey': { tag: 'auth', status: 200, answer: passkeysSchema },
  'POST /user/passkey/options': { tag: 'auth', status: 200, answer: passkeyCreationSchema },
  'POST /user/passkey': { tag: 'auth', body: passkeyBody, status: 204, answer: nothingSchema },
  'PATCH /user/passkey/{id}': { tag: 'auth', body: passkeyNameBody, status: 204, answer: nothingSchema },
  'DELETE /user/passkey/{id}': { tag: 'auth', status: 204, answer: nothingSchema },
  'POST /user/confirm': { tag: 'auth', body: confirmationBody, status: 204, answer: nothingSchema },
  'POST /user/password': { tag: 'auth', body: passwordBody, status: 204, answer: nothingSchema },
  'POST /user/password/forgot': { tag: 'auth', body: forgottenBody, status: 204, answer: nothingSchema },
  'POST /user/password/reset': { tag: 'auth', body: newPasswordBody, status: 204, answer: nothingSchema },
  'GET /user/mail': { tag: 'auth', status: 200, answer: mailChoiceSchema },
  'POST /user/mail': { tag: 'auth', body: mailOffBody, status: 204, answer: nothingSchema },
  'GET /userdetails': { tag: 'auth', status: 200, answer: userDetailsSchema },
  'GET /userhierarchy': { tag: 'auth', status: 200, answer: userHierarchySchema },
  'GET /selectfromoriginallevel': { tag: 'auth', status: 200, answer: levelsSchema },
  'POST /changehierarchylevel/{level}': { tag: 'auth', status: 204, answer: nothingSchema },
  'POST /realtime/ticket': { tag: 'auth', status: 200, answer: ticketSchema },
})
