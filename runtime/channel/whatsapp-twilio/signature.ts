import { createHash, createHmac } from 'node:crypto'
import { isSameSecret } from '../../same-secret.ts'
import type { WebhookRequest } from '../port.ts'

const FORM = 'application/x-www-form-urlencoded'

/** Names and values of all parameters, sorted by name, without separators. */
const signedForm = (body: Uint8Array): string => {
  const form = new URLSearchParams(new TextDecoder().decode(body))
  return [...new Set(form.keys())]
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map(name =>
      [...new Set(form.getAll(name))]
        .toSorted()
        .map(value => `${name}${value}`)
        .join(''),
    )
    .join('')
}

/** The address as called, and with the port that some Twilio services include. */
const addressesOf = (url: string): readonly string[] => {
  const scheme = 'https://'
  if (!url.startsWith(scheme)) return [url]
  const end = url.slice(scheme.length).search(/[/?#]/u)
  const host = end === -1 ? url : url.slice(0, scheme.length + end)
  return host.slice(scheme.length).includes(':') ? [url] : [url, `${host}:443${url.slice(host.length)}`]
}

/**
 * Whether `X-Twilio-Signature` was made with this token: over the public address and a form's parameters, or over the
 * address alone, which then contains the hash of the body.
 */
export const isSignedByTwilio = ({ url, query, headers, body }: WebhookRequest, authToken: string): boolean => {
  const given = headers['x-twilio-signature'] ?? ''
  if (authToken === '' || given === '') return false
  const bodyHash = query.get('bodySHA256')
  if (bodyHash !== null && createHash('sha256').update(body).digest('hex') !== bodyHash.toLowerCase()) return false
  const isForm = (headers['content-type'] ?? FORM).startsWith(FORM)
  const signed = bodyHash === null && isForm ? signedForm(body) : ''
  // Without a form, only the hash binds the body to the signature.
  if (bodyHash === null && !isForm && body.length > 0) return false
  return addressesOf(url).some(address => {
    const expected = createHmac('sha1', authToken).update(`${address}${signed}`).digest('base64')
    return isSameSecret(given, expected)
  })
}
