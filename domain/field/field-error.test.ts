import { expect, test } from 'vitest'
import type { z } from 'zod'
import { bot } from '#schemas/entities/bot.ts'
import { user } from '#schemas/entities/user.ts'
import { variableschema } from '#schemas/entities/variableschema.ts'
import { changeSchema, createSchema } from '#schemas/entity.ts'
import { fieldErrors } from './validate.ts'

const codesOf = (schema: z.ZodType, input: unknown, closed?: ReadonlySet<string>) => {
  const parsed = schema.safeParse(input)
  if (parsed.success) return {}
  return Object.fromEntries(fieldErrors(parsed.error, input, closed).map(({ path, code }) => [path, code]))
}

test('each fault has its code at its path', () => {
  expect(
    codesOf(createSchema(bot), {
      description: 'x'.repeat(2001),
      stepdelay: 1.5,
      nlutimeout: -1,
      intentconfidence: 101,
      deploymentenv: 'moon',
      nluenabled: 'yes',
      customer: 'a\u0000b',
      avatars: ['ok', 3],
      surplus: 1,
    }),
  ).toEqual({
    name: 'required',
    description: 'toolong',
    stepdelay: 'type',
    nlutimeout: 'toosmall',
    intentconfidence: 'toolarge',
    deploymentenv: 'option',
    nluenabled: 'type',
    customer: 'characters',
    'avatars.1': 'type',
    surplus: 'unknown',
  })
})

test('blank, null and lone surrogates in a required name are refused', () => {
  expect(codesOf(createSchema(bot), { name: '  ' })).toEqual({ name: 'required' })
  expect(codesOf(createSchema(bot), { name: null })).toEqual({ name: 'required' })
  expect(codesOf(createSchema(bot), { name: 'a\ud800' })).toEqual({ name: 'characters' })
})

test('a member that is there but not to be given is readonly', () => {
  expect(codesOf(changeSchema(bot), { runningstatus: 'running' }, new Set(['runningstatus']))).toEqual({
    runningstatus: 'readonly',
  })
})

test('an e-mail address that is none has a wrong format', () => {
  expect(codesOf(createSchema(user), { username: 'a', email: 'nobody' })).toMatchObject({ email: 'format' })
})

test('rejects an invalid JSON Schema', () => {
  const schema = createSchema(variableschema)
  const given = (schemajson: unknown) => schema.safeParse({ bot: 'b', name: 's', schemajson })
  expect(given({ type: 'object' }).success).toBe(true)
  const { error } = given({ type: 'thing' })
  expect(error && fieldErrors(error, {})).toEqual([
    { path: 'schemajson', code: 'format', params: { rule: 'jsonschema' } },
  ])
})
