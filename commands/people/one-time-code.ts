import { generateSecret, generateURI, verifySync } from 'otplib'

const PERIOD = 30

/** A new secret for an authenticator app, 160 bits in base32. */
export const newSecret = (): string => generateSecret({ length: 20 })

/** URI in the app's QR code. */
export const otpauthOf = (issuer: string, username: string, secret: string): string =>
  generateURI({ issuer, label: username, secret })

/**
 * The time step of a code (RFC 6238, SHA-1, six digits, 30 s; one step early or late is good), or undefined for a wrong
 * one. `after`: the step of the newest code that was used; it and older ones are wrong.
 */
export const codeStep = (secret: string, token: string, now: Date, after: number | null): number | undefined => {
  const code = token.replace(/\s/g, '')
  if (!/^\d{6}$/.test(code)) return undefined
  const epoch = Math.floor(now.getTime() / 1000)
  const step = Math.floor(epoch / PERIOD)
  for (const candidate of [step, step - 1, step + 1]) {
    const fits = verifySync({ secret, token: code, epoch: candidate * PERIOD, period: PERIOD }).valid
    if (fits && (after === null || candidate > after)) return candidate
  }
  return undefined
}
