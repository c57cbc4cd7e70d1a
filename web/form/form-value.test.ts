import { describe, expect, it } from 'vitest'
import { defineEntity } from '#schemas/entity.ts'
import { boolean, integer, json, reference, string } from '#schemas/field/field.ts'
import { changeBody, createBody, initialValues } from './form-value.ts'

const entity = defineEntity({
  name: 'thing',
  type: 'Thing',
  parent: 'level',
  icon: 'Box',
  fields: {
    name: string({ required: true }),
    key: string({ secret: true }),
    size: integer({ initial: 3 }),
    on: boolean(),
    data: json(),
    seen: integer({ readonly: true }),
    owner: string({ fixed: true }),
  },
  unique: [],
  title: 'name',
  list: { columns: [], search: [] },
  form: [],
  actions: {},
  confirm: false,
})

describe('the values of a form', () => {
  it('begin with what the declaration says', () => {
    expect(initialValues(entity, undefined)).toMatchObject({ name: null, size: 3, on: false, data: '' })
  })

  it('send what was filled in, readonly fields never', () => {
    const body = createBody(entity, { name: 'A', size: null, on: true, data: '{"a":1}', seen: 4 })
    expect(body).toEqual({ name: 'A', on: true, data: { a: 1 } })
  })

  it('are null for a required reference without a choice, so that validation reports it', () => {
    const inTask = {
      ...entity,
      fields: { name: string({ required: true }), task: reference('task', { required: true }) },
    }
    expect(createBody(inTask, { name: null, task: null })).toEqual({ name: null, task: null })
  })

  it('send an emptied field as none and touched fields alone', () => {
    expect(changeBody(entity, { name: 'A', size: null, on: true }, ['size'])).toEqual({ size: null })
  })

  it('never send a secret that is only known to be set, nor a fixed field', () => {
    expect(changeBody(entity, { key: { set: true }, owner: 'x' }, ['key', 'owner'])).toEqual({})
  })
})
