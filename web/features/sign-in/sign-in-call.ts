import type { PasskeyAssertion } from '#schemas/api/passkey.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'
import { askPasskey } from './passkey-call.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
}

type LoginAnswer = AnswerOf<'POST /auth/login'>
type Registration = AnswerOf<'POST /user/register2fa'>

/** Next step: signed in, second factor code, its passkey, or its registration. */
export type NextSignInStep = 'done' | 'code' | 'passkey' | 'register'

const nextOf = (answer: LoginAnswer): NextSignInStep => {
  if (answer.token?.accessToken) return 'done'
  return answer.twofactorenabled ? 'code' : 'register'
}

export const signIn = async (credentials: Credentials, token?: string): Promise<NextSignInStep> =>
  nextOf(await http.post('/auth/login', { body: token === undefined ? credentials : { ...credentials, token } }))

/** Begins a registration: of the one whose credentials these are, else of the session's user. */
export const register = (credentials?: Credentials): Promise<Registration> =>
  http.post('/user/register2fa', { body: credentials ?? {} })

/** Sends the code of a person that an identity provider has named: the browser has a cookie of that sign-in. */
export const sendProviderCode = async (token: string): Promise<NextSignInStep> =>
  nextOf(await http.post('/auth/oidc/code', { body: { token } }))

export const sendPasskey = async (body: PasskeyAssertion): Promise<NextSignInStep> =>
  nextOf(await http.post('/auth/passkey', { body }))

/** `byProvider`: it is the second factor of a person that an identity provider has named. */
export const signInByPasskey = async (byProvider: boolean): Promise<NextSignInStep> => {
  const body = await askPasskey()
  return byProvider ? nextOf(await http.post('/auth/oidc/passkey', { body })) : sendPasskey(body)
}

export const registerWithProvider = (): Promise<Registration> => http.post('/auth/oidc/register2fa')

export const verify = async (token: string, credentials?: Credentials): Promise<NextSignInStep> =>
  nextOf(await http.post('/user/verify2fa', { body: { ...credentials, token } }))

export const changePassword = (change: {
  username?: string
  old: string
  new: string
  confirm: string
  token?: string
}): Promise<unknown> => http.post('/user/password', { body: change })
