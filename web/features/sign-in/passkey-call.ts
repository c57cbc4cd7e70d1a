import type {
  AuthenticationResponseJSON,
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

/** Asks for a fresh challenge. */
const requestOptions = async () => {
  const options = await http.post('/auth/passkey/options')
  return options as PublicKeyCredentialRequestOptionsJSON
}

/** The answer of one of the caller's passkeys; of anyone's without a session. */
export const askPasskey = async (): Promise<AuthenticationResponseJSON> => {
  const [optionsJSON, { startAuthentication }] = await Promise.all([requestOptions(), library()])
  return startAuthentication({ optionsJSON })
}

/** Age at which a waiting challenge is replaced, ms: it is good for five minutes. */
const RENEW_MS = 4 * 60_000

const untilVisible = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (!document.hidden || signal.aborted) return resolve()
    const options = { once: true, signal }
    document.addEventListener('visibilitychange', () => resolve(), options)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/**
 * Lists passkeys among the suggestions of the user name field. Resolves with the answer of the one that the person
 * chooses; with undefined when the browser has no such list, or `signal` aborts.
 */
export const suggestPasskeys = async (signal: AbortSignal): Promise<AuthenticationResponseJSON | undefined> => {
  const { browserSupportsWebAuthnAutofill, startAuthentication, WebAuthnAbortService } = await library()
  if (!(await browserSupportsWebAuthnAutofill())) return undefined
  const cancel = () => WebAuthnAbortService.cancelCeremony()
  for (;;) {
    await untilVisible(signal)
    if (signal.aborted) return undefined
    const optionsJSON = await requestOptions()
    if (signal.aborted) return undefined
    let isOld = false
    const timer = setTimeout(() => {
      isOld = true
      cancel()
    }, RENEW_MS)
    signal.addEventListener('abort', cancel)
    try {
      return await startAuthentication({ optionsJSON, useBrowserAutofill: true })
    } catch {
      if (!isOld) return undefined
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
    }
  }
}

export const addPasskey = async (name: string): Promise<void> => {
  const [options, { startRegistration }] = await Promise.all([http.post('/user/passkey/options'), library()])
  const passkey = await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
  await http.post('/user/passkey', { body: { name, passkey } })
}
