/** Letters and digits without those that look alike. 16 of them are 80 bits. */
export const RECOVERY_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
export const RECOVERY_LENGTH = 16
/** Codes that are made at one time; each is good once. */
export const RECOVERY_CODES = 10

const CODE = new RegExp(`^[${RECOVERY_ALPHABET}]{${RECOVERY_LENGTH}}$`, 'u')

/** The code as it was made; undefined for what has another shape. Case, blanks and hyphens do not count. */
export const readRecoveryCode = (typed: string): string | undefined => {
  const code = typed.toUpperCase().replace(/[\s-]/gu, '')
  return CODE.test(code) ? code : undefined
}

/** In groups of four, as people read it. */
export const shownRecoveryCode = (code: string): string => code.match(/.{4}/gu)?.join('-') ?? code
