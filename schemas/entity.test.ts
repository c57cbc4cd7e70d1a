import { describe, expect, test } from 'vitest'
import { changeSchema, closedTo, createSchema, defineEntity } from './entity.ts'
import { number, string } from './field/field.ts'
import { foldName } from './fold-text.ts'

const lamp = (fields: Parameters<typeof defineEntity>[0]['fields']) =>
  defineEntity({
    name: 'lamp',
    type: 'Lamp',
    parent: 'none',
    icon: 'Lamp',
    fields,
    unique: [],
    title: 'name',
    list: { columns: [{ field: 'name' }], search: [] },
    form: [{ id: 'general', fields: ['name'] }],
    actions: {},
    confirm: false,
  })

describe('the schemas of a declaration', () => {
  test('are made once, for creating and for changing', () => {
    const entity = lamp({ name: string({ required: true }) })
    expect(createSchema(entity)).toBe(createSchema(entity))
    expect(changeSchema(entity)).toBe(changeSchema(entity))
    expect(createSchema(entity).safeParse({}).success).toBe(false)
    expect(changeSchema(entity).safeParse({}).success).toBe(true)
  })

  test('a second declaration of the same name has its own', () => {
    const first = lamp({ name: string({ required: true }) })
    const body = { name: 'one', watts: 5 }
    expect(createSchema(first).safeParse(body).success).toBe(false)
    const second = lamp({ name: string({ required: true }), watts: number({ readonly: true }) })
    const third = lamp({ name: string({ required: true }), watts: number({ fixed: true }) })
    expect(createSchema(second).safeParse(body).success).toBe(false)
    expect(createSchema(third).safeParse(body).success).toBe(true)
    expect(changeSchema(third).safeParse(body).success).toBe(false)
    expect([first, second, third].map(entity => closedTo.create(entity).has('watts'))).toEqual([false, true, false])
    expect([first, second, third].map(entity => closedTo.change(entity).has('watts'))).toEqual([false, true, true])
  })
})

describe('two names are one', () => {
  test.each([
    ['Straße', 'STRASSE', 'straẞe'],
    ['ΣΑΣ', 'σας', 'σασ'],
    ['ﬁm', 'FIM', '\u00a0 ｆｉｍ'],
    ['Olá  Bot', ' OLA\u0301 bot '],
    ['İzmir', 'i\u0307zmir'],
  ])('%s in other letters', (...names) => {
    expect(new Set(names.map(foldName)).size).toBe(1)
  })

  test('but not with another accent or another letter', () => {
    const names = ['ola', 'olá', 'olä', 'ısı', 'isi']
    expect(new Set(names.map(foldName)).size).toBe(names.length)
  })
})
