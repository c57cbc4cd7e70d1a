import { createHmac } from 'node:crypto'

const PREFIX = 'whsec_'

/** Headers of Standard Webhooks 1.0: one signature for each secret, of the bytes that are sent. */
export const signatureHeaders = (
  secrets: readonly string[],
  { id, seconds, body }: { readonly id: string; readonly seconds: number; readonly body: string },
): readonly (readonly [string, string])[] => {
  const signatures = secrets.map(secret => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return [
    ['content-type', 'application/json'],
    ['webhook-id', id],
    ['webhook-timestamp', String(seconds)],
    ['webhook-signature', signatures.join(' ')],
  ]
}
