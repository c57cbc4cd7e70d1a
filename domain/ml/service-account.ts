import { isObject, parseJsonField } from '#schemas/json.ts'

/** Used parts of a Google service account's key file. Its addresses are not read: they could lead anywhere. */
interface ServiceAccount {
  readonly email: string
  /** PKCS #8 in PEM. */
  readonly key: string
}

const EMAIL = /^[^@\s]+@[^@\s]+$/u
const PEM = /^-----BEGIN PRIVATE KEY-----[\s\S]+-----END PRIVATE KEY-----\s*$/u

/** Reads a pasted key file; undefined where it is none. */
export const readServiceAccount = (text: string): ServiceAccount | undefined => {
  const file = parseJsonField(text)
  if (!isObject(file)) return undefined
  const { client_email: email, private_key: key } = file
  if (typeof email !== 'string' || typeof key !== 'string') return undefined
  return EMAIL.test(email) && PEM.test(key) ? { email, key } : undefined
}
