import { api } from '#web/api/client.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
}

interface LoginAnswer {
  readonly token?: { readonly accessToken?: string }
  readonly twofactorenabled?: boolean
  readonly enabletwofactor?: boolean
}

export interface Registration {
  readonly otpauth: string
  /** A data URL or an SVG document. */
  readonly qr: string
  readonly secret: string
}

/** What comes next: signed in, the code of the second factor, or its registration. */
export type Next = 'done' | 'code' | 'register'

const nextOf = (answer: LoginAnswer): Next => {
  if (answer.token?.accessToken) return 'done'
  return answer.twofactorenabled ? 'code' : 'register'
}

export const signIn = async (credentials: Credentials, token?: string): Promise<Next> =>
  nextOf(await api.post<LoginAnswer>('/auth/login', token === undefined ? credentials : { ...credentials, token }))

/** Begins a registration: of the one whose credentials these are, else of the session's user. */
export const register = (credentials?: Credentials): Promise<Registration> =>
  api.post<Registration>('/user/register2fa', credentials ?? {})

export const verify = async (token: string, credentials?: Credentials): Promise<Next> =>
  nextOf(await api.post<LoginAnswer>('/user/verify2fa', { ...credentials, token }))

export const changePassword = (change: {
  username?: string
  old: string
  new: string
  confirm: string
  token?: string
}): Promise<void> => api.post('/user/password', change)
