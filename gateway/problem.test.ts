import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '#schemas/language.ts'
import en from '#schemas/locales/en/problem.json' with { type: 'json' }
import es from '#schemas/locales/es/problem.json' with { type: 'json' }
import pt from '#schemas/locales/pt/problem.json' with { type: 'json' }
import { FIELD_ERROR_CODES, type FieldError, REFUSAL_CODES } from '#schemas/refusal.ts'
import { problemOf } from './problem.ts'

const TEXTS: Record<string, Record<string, string>> = { en, es, pt }

describe('problem', () => {
  test('every refusal and every field error has a text in each language', () => {
    for (const language of LANGUAGES) {
      for (const code of REFUSAL_CODES) expect(TEXTS[language]?.[code], `${language} ${code}`).toBeTruthy()
      for (const code of FIELD_ERROR_CODES) expect(TEXTS[language]?.[`field.${code}`]).toBeTruthy()
    }
    expect(Object.keys(en)).toEqual(Object.keys(pt))
    expect(Object.keys(en)).toEqual(Object.keys(es))
  })

  test('every refusal has a status of an error', () => {
    for (const code of REFUSAL_CODES) expect(problemOf({ code }, 'en').status, code).toBeGreaterThanOrEqual(400)
  })

  test('matches the texts of the specification [C-8.11] [C-8.12] [C-8.13] [C-8.14] [C-6.12]', () => {
    const detail = (code: (typeof REFUSAL_CODES)[number], params = {}) => problemOf({ code, params }, 'en').detail
    expect(detail('auth.invalid', { attemptsRemaining: 3 })).toBe('Invalid credentials, You have remaining 3 attempts')
    expect(detail('auth.locked')).toBe('Account is locked, Please contact system administrator..')
    expect(detail('auth.twofactor')).toBe('Two factor authentication failed..')
    expect(detail('auth.expired')).toBe('Password has expired, Please make a change...')
    expect(detail('access.forbidden')).toBe('You are not authorized!!!')
    expect(detail('user.password.same')).toBe('Old and new passwords can not be same')
    expect(detail('task.main')).toBe('main dialog must be set')
    expect(detail('handler.global')).toBe('global handlers can not be deleted')
    expect(detail('flow.format')).toBe('dialog data can not be set ,not in proper json format')
    expect(detail('entity.name.taken', { entity: 'dialog', name: 'x' })).toBe('Dialog already exists')
  })

  test('a counted text reads right for none, one and several, in each language', () => {
    const left = (attemptsRemaining: number, language: (typeof LANGUAGES)[number]) =>
      problemOf({ code: 'auth.invalid', params: { attemptsRemaining } }, language).detail
    expect([4, 1, 0].map(attempts => left(attempts, 'pt'))).toEqual([
      'Credenciais inválidas, restam 4 tentativas',
      'Credenciais inválidas, resta 1 tentativa',
      'Credenciais inválidas, não resta nenhuma tentativa',
    ])
    expect(left(1, 'es')).toBe('Credenciales no válidas, le queda 1 intento')
    expect(left(0, 'en')).toBe('Invalid credentials, You have remaining 0 attempts')
    const errors = (count: number) => problemOf({ code: 'flow.invalid', params: { count } }, 'pt').detail
    expect(errors(1)).toBe('O fluxo tem 1 erro que impede a publicação')
    expect(errors(2)).toBe('O fluxo tem 2 erros que impedem a publicação')
  })

  test('a taken name says at its field which name it is, and a password which of its rules is broken', () => {
    const messages = (...errors: FieldError[]) =>
      problemOf({ code: 'entity.name.taken', errors }, 'en').errors?.map(({ message }) => message)
    expect(messages({ path: 'name', code: 'taken', params: { name: 'Vendas', entity: 'hierarchy' } })).toEqual([
      '“Vendas” is already taken',
    ])
    expect(messages({ path: 'name', code: 'taken', params: { name: 'Bolo', entity: 'dialog' } })).toEqual([
      'Dialog already exists: “Bolo”',
    ])
    expect(messages({ path: 'new', code: 'format', params: { rule: 'symbol' } })).toEqual(['A symbol is missing'])
  })

  test('a field error carries its message and the three values of a conflict', () => {
    const errors = [{ path: 'name', code: 'conflict', before: 'a', yours: 'b', theirs: 'c' } as const]
    const problem = problemOf({ code: 'entity.conflict', errors }, 'en')
    expect(problem.status).toBe(409)
    expect(problem.errors).toEqual([{ ...errors[0], message: 'Someone else changed this meanwhile' }])
  })
})
