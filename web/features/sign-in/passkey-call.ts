import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { http } from '#web/api/http.ts'

/** The library is loaded by the first act with a passkey. */
const library = () => import('@simplewebauthn/browser')

/** Whether this browser has passkeys for the console, which has them at one origin. */
export const offersPasskeys = (origin: string | null | undefined): boolean =>
  origin === location.origin && 'PublicKeyCredential' in window

/** The browser's question was closed, or there was no answer in time. */
export const isCancelled = (failure: unknown): boolean =>
  failure instanceof Error && (failure.name === 'NotAllowedError' || failure.name === 'AbortError')

/** The answer of one of the caller's passkeys; of anyone's without a session. */
export const askPasskey = async () => {
  const [options, { startAuthentication }] = await Promise.all([http.post('/auth/passkey/options'), library()])
  return startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON })
}

export const addPasskey = async (name: string): Promise<void> => {
  const [options, { startRegistration }] = await Promise.all([http.post('/user/passkey/options'), library()])
  const passkey = await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
  await http.post('/user/passkey', { body: { name, passkey } })
}
