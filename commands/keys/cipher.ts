import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import { SealBroken } from './error.ts'

const ALGORITHM = 'aes-256-gcm'
export const KEY_BYTES = 32
const IV_BYTES = 12

/** AES-256-GCM with a random nonce. @returns `iv:tag:ciphertext`, each base64url */
export function encrypt(key: Buffer, clear: Buffer, context: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, createSecretKey(key), iv).setAAD(Buffer.from(context))
  const text = Buffer.concat([cipher.update(clear), cipher.final()])
  return [iv, cipher.getAuthTag(), text].map(part => part.toString('base64url')).join(':')
}

/** @throws SealBroken when key, context or text is another one than it was encrypted with */
export function decrypt(key: Buffer, sealed: string, context: string): Buffer {
  const [iv = '', tag = '', text = ''] = sealed.split(':')
  try {
    const decipher = createDecipheriv(ALGORITHM, createSecretKey(key), Buffer.from(iv, 'base64url'), {
      authTagLength: 16,
    })
      .setAAD(Buffer.from(context))
      .setAuthTag(Buffer.from(tag, 'base64url'))
    return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()])
  } catch {
    throw new SealBroken(`The sealed value of ${context} does not open`)
  }
}
