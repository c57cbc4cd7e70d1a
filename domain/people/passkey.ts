import { z } from 'zod'
import type { Json } from '#schemas/event.ts'

/** Passkeys of one person. */
export const MAX_PASSKEYS = 10
const MAX_NAME = 60
export const passkeyName = z.string().trim().min(1).max(MAX_NAME)

/** Shape of `user.passkeys`. Names are sealed with the key of the person: people write names of things and places. */
const storedPasskey = z.strictObject({
  /** Of the credential, base64url. */
  id: z.string(),
  /** COSE key, base64url. */
  publicKey: z.string(),
  /** Uses that the authenticator has counted; 0: it does not count. */
  counter: z.int().min(0),
  transports: z.array(z.string()),
  name: z.json() as z.ZodType<Json>,
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  /** Kept by its maker outside of the device, such as in a keychain. */
  backedup: z.boolean(),
})

export type StoredPasskey = z.infer<typeof storedPasskey>

/** A new credential with the name that its person gives it. */
export const addedPasskey = storedPasskey.omit({ created_at: true, last_used_at: true }).extend({ name: passkeyName })

/** A verified use of a credential. */
export const passkeyUse = storedPasskey.pick({ id: true, counter: true, backedup: true })
export type PasskeyUse = z.infer<typeof passkeyUse>

export const passkeysOf = (value: Json | undefined): readonly StoredPasskey[] =>
  z.array(storedPasskey).parse(value ?? [])

/** The list after a use. Undefined: it was removed, or its counter did not rise, as that of a copy does not. */
export const afterPasskeyUse = (
  passkeys: readonly StoredPasskey[],
  { id, counter, backedup }: PasskeyUse,
  time: string,
): readonly StoredPasskey[] | undefined => {
  const used = passkeys.find(passkey => passkey.id === id)
  if (used === undefined || (used.counter > 0 && counter <= used.counter)) return undefined
  return passkeys.map(passkey => (passkey === used ? { ...used, counter, backedup, last_used_at: time } : passkey))
}

/** Party of WebAuthn that this installation is. */
export interface RelyingParty {
  readonly id: string
  /** The only origin whose answers count. */
  readonly origin: string
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
const ADDRESS = /^(?:\[.*\]|\d{1,3}(?:\.\d{1,3}){3})$/u

/**
 * Of the address of the console: browsers offer passkeys at a name with https, and at localhost, as which every loopback
 * address counts. Undefined where there can be none.
 */
export const relyingPartyOf = (publicUrl: string): RelyingParty | undefined => {
  const { protocol, hostname, port, origin } = new URL(publicUrl)
  if (LOOPBACK.includes(hostname))
    return { id: 'localhost', origin: `${protocol}//localhost${port === '' ? '' : `:${port}`}` }
  return protocol === 'https:' && !ADDRESS.test(hostname) ? { id: hostname, origin } : undefined
}
