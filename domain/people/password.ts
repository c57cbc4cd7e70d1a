import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'

/** Days after which a password must be changed; on the last of them it is still good. */
const PASSWORD_DAYS = 80
const DAY = 86_400_000

/** Password rules; keys of the texts beside the field. */
const PASSWORD_RULES = [
  { rule: 'length', holds: (password: string) => [...password].length >= 8 },
  { rule: 'capital', holds: (password: string) => /\p{Lu}/u.test(password) },
  { rule: 'lowercase', holds: (password: string) => /\p{Ll}/u.test(password) },
  { rule: 'number', holds: (password: string) => /\p{Nd}/u.test(password) },
  { rule: 'symbol', holds: (password: string) => /[^\p{L}\p{N}\p{M}\s\p{Cc}]/u.test(password) },
] as const

type PasswordRule = (typeof PASSWORD_RULES)[number]['rule']

const brokenRules = (password: string): readonly PasswordRule[] =>
  PASSWORD_RULES.filter(({ holds }) => !holds(password)).map(({ rule }) => rule)

/** `path` names the member of the body that holds the password. */
export const checkPassword = (password: string, path: string): Result<null> => {
  const broken = brokenRules(password)
  if (broken.length === 0) return accepted(null)
  return refused('user.password.rules', {
    errors: broken.map((rule): FieldError => {
      if (rule === 'length') return { path, code: 'toosmall', params: { min: 8, rule } }
      return { path, code: 'format', params: { rule } }
    }),
  })
}

export interface PasswordChange {
  readonly old: string
  readonly new: string
  readonly confirm: string
}

/** The rules that need no knowledge of the present password. */
export const checkPasswordChange = (change: PasswordChange): Result<null> => {
  if (change.old === '') return refused('user.password.original', { errors: [{ path: 'old', code: 'required' }] })
  const rules = checkPassword(change.new, 'new')
  if (!rules.ok) return rules
  if (change.new === change.old) {
    return refused('user.password.same', { errors: [{ path: 'new', code: 'duplicate', params: { rule: 'same' } }] })
  }
  if (change.new !== change.confirm) {
    return refused('user.password.confirm', {
      errors: [{ path: 'confirm', code: 'format', params: { rule: 'confirm' } }],
    })
  }
  return accepted(null)
}

/** ISO time → `last_password_changed_at`: UTC, year-month-dayThour:minute:second. */
export const passwordDate = (time: string): string => new Date(time).toISOString().slice(0, 19)

/** Without a date it is expired. */
export const isExpired = (changed: string | null, time: string): boolean => {
  const since = changed === null ? Number.NaN : Date.parse(`${changed}Z`)
  return !(Math.floor((Date.parse(time) - since) / DAY) <= PASSWORD_DAYS)
}
