import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { bot } from '#schemas/entities/bot.ts'
import { desksetting } from '#schemas/entities/desksetting.ts'
import { pricelist } from '#schemas/entities/pricelist.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { template } from '#schemas/entities/template.ts'
import { user } from '#schemas/entities/user.ts'
import { variableschema } from '#schemas/entities/variableschema.ts'
import { changeSchema, createSchema, type EntityDeclaration } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Field } from '#schemas/field/kind.ts'
import en from '#schemas/locales/en/problem.json' with { type: 'json' }
import es from '#schemas/locales/es/problem.json' with { type: 'json' }
import pt from '#schemas/locales/pt/problem.json' with { type: 'json' }
import { fieldErrors, validateCreate } from './validate.ts'

const TEXTS = [en, pt, es]

const rulesIn = (fields: Readonly<Record<string, Field>>): readonly string[] =>
  Object.values(fields).flatMap(field => [field.rule ?? [], field.kind === 'list' ? rulesIn(field.item) : []].flat())

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

describe('a value of another form [P-2097]', () => {
  test.each([
    [template, { templateName: 'Pedido Enviado' }, 'templateName', 'templatename'],
    [template, { params: [{ name: '1', source: 'apelido' }] }, 'params.0.source', 'contactfield'],
    [desksetting, { pause_reasons: [{ key: 'Almoço', name: 'Almoço' }] }, 'pause_reasons.0.key', 'shortname'],
    [pricelist, { rows: [{ country: '1x' }] }, 'rows.0.country', 'pricecountry'],
    [user, { email: 'nobody' }, 'email', 'email'],
  ] as const)('has the text of its form: %#', async (entity: EntityDeclaration, input, path, rule) => {
    const read = await validateCreate(entity, input as unknown as JsonObject)
    const errors = read.ok ? [] : (read.refusal.errors ?? [])
    expect(errors.find(error => error.path === path)).toMatchObject({ code: 'format', params: { rule } })
    for (const texts of TEXTS) expect(texts).toHaveProperty([`field.format.${rule}`])
  })

  test('has a text for each rule of a declared field', () => {
    const rules = Object.values<EntityDeclaration>(ENTITIES).flatMap(({ fields }) => rulesIn(fields))
    expect(rules).toContain('shortname')
    for (const texts of TEXTS)
      expect(rules.filter(rule => !Object.keys(texts).some(key => key.endsWith(`.${rule}`)))).toEqual([])
  })
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
