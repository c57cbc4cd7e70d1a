import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AGENT_SYSTEMS } from './agent-system.ts'
import { CHANNEL_TYPE_NAMES, CHANNEL_TYPES, channelType } from './channel-type.ts'
import { agentchannel } from './entities/agentchannel.ts'
import { channel } from './entities/channel.ts'
import { mlchannel } from './entities/mlchannel.ts'
import type { EntityDeclaration } from './entity.ts'
import { boolean, string } from './field/field.ts'
import { LANGUAGES } from './language.ts'
import { ML_SYSTEMS } from './ml-system.ts'
import { fieldsByType } from './typed-fields.ts'

test('shows a field under the types that list it, together with its own condition', () => {
  const types = { one: { fields: ['shared', 'own'] }, two: { fields: ['shared'] } } as const
  const fields = fieldsByType(types, {
    name: string(),
    shared: boolean(),
    own: string({ when: { shared: [true] } }),
    later: string({ when: { shared: [true] } }),
  })
  expect(Object.entries(fields).map(([name, field]) => [name, field.when])).toEqual([
    ['name', undefined],
    ['shared', { type: ['one', 'two'] }],
    ['own', { type: ['one'], shared: [true] }],
    ['later', { shared: [true] }],
  ])
})

/** Fields that the form shows under a type. */
const shownUnder = (entity: EntityDeclaration, type: string): readonly string[] =>
  Object.keys(entity.fields).filter(name => entity.fields[name]?.when?.type?.includes(type) !== false)

describe('a declaration of a type names only fields of its form [P-2100]', () => {
  test.each<[EntityDeclaration, Readonly<Record<string, { fields: readonly string[]; needs?: readonly string[] }>>]>([
    [agentchannel, AGENT_SYSTEMS],
    [mlchannel, ML_SYSTEMS],
    [channel, CHANNEL_TYPES],
  ])('of $name', (entity, types) => {
    expect(entity.fields.type).toMatchObject({ options: Object.keys(types) })
    for (const [type, { fields, needs = [] }] of Object.entries(types)) {
      expect(shownUnder(entity, type), type).toEqual(expect.arrayContaining([...fields, ...needs]))
      expect(new Set(fields).size, type).toBe(fields.length)
    }
  })

  test('also where it says which fields a channel does not read, sends with or is found by', () => {
    const named = CHANNEL_TYPE_NAMES.map(type => {
      const { unused = [], address, token, account, needsBy } = channelType(type) ?? {}
      const further = needsBy === undefined ? [] : [needsBy.field, ...Object.values(needsBy.values).flat()]
      const others = account === undefined ? [] : [account.field, ...account.replaces]
      return [type, [...unused, ...[address ?? [], token ?? []].flat(), ...further, ...others]] as const
    })
    for (const [type, names] of named)
      expect(shownUnder(channel, type), type).toEqual(expect.arrayContaining([...names]))
  })
})

test("asks for no address of an outside system in the form of Parley's own desk [P-2377]", () => {
  const outside = ['url', 'channel_origin', 'webhook', 'channel_password', 'message_to_identify_user_waiting']
  const shown = shownUnder(agentchannel, 'parley')
  expect(shown.filter(name => outside.includes(name))).toEqual([])
  expect(shown).toEqual(expect.arrayContaining(['name', 'enable', 'defaultqueue', 'queue_tracker_enabled']))
  expect(shownUnder(agentchannel, 'rocketchat')).toEqual(expect.arrayContaining(outside))
})

const KEPT = {
  en: /^Parley only keeps this value/u,
  pt: /^O Parley só guarda este valor/u,
  es: /^Parley solo guarda este valor/u,
}
interface HelpTexts {
  readonly hint?: string
  readonly of?: Readonly<Record<string, { readonly hint?: string }>>
}

test.each(LANGUAGES)(
  'says in the help of a field that nothing reads that it is only kept, in %s [P-2987]',
  language => {
    const fieldsOf = (entity: string): Readonly<Record<string, HelpTexts>> =>
      JSON.parse(readFileSync(join(import.meta.dirname, `locales/${language}/entity/${entity}.json`), 'utf8')).field
    const texts = fieldsOf('channel')
    const unread = CHANNEL_TYPE_NAMES.flatMap(type =>
      (channelType(type)?.unused ?? []).map(name => [type, name, texts[name]?.of?.[type]?.hint ?? texts[name]?.hint]),
    )
    expect(unread.length).toBeGreaterThan(20)
    expect(unread.filter(([, , hint]) => !KEPT[language].test(hint ?? ''))).toEqual([])
    expect(fieldsOf('metaapp').config_id?.hint).toMatch(KEPT[language])
  },
)
