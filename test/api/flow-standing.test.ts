import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { link } from '#test/fixture/flow-parts.ts'
import { type Client, discard, type Parley } from './harness.ts'
import { openParley } from './open-parley.ts'

let parley: Parley
let admin: Client
let task: string
let bot: string
beforeAll(async () => {
  parley = await openParley()
  admin = await parley.signIn()
  bot = (await admin.post('/bot', { name: 'Bot' })).body.id
  task = (await admin.post('/dialogtask', { name: 'Tarefa', bot })).body.id
})
afterAll(() => discard(parley))

let named = 0
const draw = async (kind = 'dialog') =>
  (await admin.post(`/${kind}`, { name: `n${named++}`, dialogtask: task })).body.id

const operator = (title: string, top = 0) => ({
  type: 'marker',
  title,
  top,
  left: 40,
  properties: { inputs: { input_1: { label: '' } }, outputs: { output_1: { label: '' } } },
})
const FLOW = {
  format: 'parley-flow',
  version: 1,
  operators: { a: operator('Olá'), b: operator('Tchau', 200) },
  links: { l1: link('a', 'b') },
}

describe('a flow', () => {
  test.each(['dialog', 'handler'])('says of a %s whether it was changed since it was published', async kind => {
    const id = await draw(kind)
    const modified = async () => (await admin.get(`/${kind}/${id}`)).body.modified
    const listed = async (value: boolean) =>
      (await admin.get(`/${kind}?modified=${value}&dialogtask=${task}&size=100`)).body.items.some(
        item => item.id === id,
      )
    await admin.put(`/${kind}/${id}/flow`, FLOW)
    expect(await modified()).toBe(false)
    await admin.post(`/${kind}/${id}/publish`, {})
    expect(await modified()).toBe(false)
    await admin.put(`/${kind}/${id}/flow`, { ...FLOW, links: {} })
    expect(await modified()).toBe(true)
    expect([await listed(true), await listed(false)]).toEqual([true, false])
    expect((await admin.patch(`/${kind}/${id}`, { modified: false }, 1)).status).toBe(422)
    await admin.post(`/${kind}/${id}/publish`, {})
    expect(await modified()).toBe(false)
    await admin.put(`/${kind}/${id}/flow`, FLOW)
    await admin.post(`/${kind}/${id}/unpublish`, {})
    expect(await modified()).toBe(false)
  })

  test('has a line in the audit that says whether it was edited, imported or restored, and from where', async () => {
    const id = await draw()
    const { revision } = (await admin.put(`/dialog/${id}/flow`, FLOW)).body
    await admin.put(`/dialog/${id}/flow`, { ...FLOW, links: {} })
    await admin.post(`/dialog/${id}/flow/restore`, { revision })
    const { items } = (await admin.get(`/audit?entity=dialog&entityid=${id}`)).body
    expect(items.map(({ action, source }) => [action, source])).toEqual([
      ['restored', { kind: 'restore', revision }],
      ['imported', { kind: 'import' }],
      ['imported', { kind: 'import' }],
      ['edited', undefined],
      ['created', undefined],
    ])
    expect((await admin.get(`/audit?entity=dialog&entityid=${id}&action=imported`)).body.total).toBe(2)
  })
})
