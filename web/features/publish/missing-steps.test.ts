import { expect, test } from 'vitest'
import { missingSteps } from './readiness.ts'

const task = { id: 't', name: 'Pedidos' }
const main = { id: 'd', name: 'Menu', isPublished: true }
const READY = { isStarted: true, defaultTask: task, task, main, hasChannel: true }
const kinds = (parts: Parameters<typeof missingSteps>[0]) => missingSteps(parts)?.map(({ is }) => is)

test('names nothing when a started bot has a default task with a published main dialog and a channel [P-1824]', () => {
  expect(missingSteps(READY)).toEqual([])
})

test('names each part without which nobody can talk to a bot, in the order in which they are made [P-1824]', () => {
  expect(kinds({ isStarted: false, defaultTask: null, task, main: null, hasChannel: false })).toEqual([
    'default',
    'main',
    'channel',
    'start',
  ])
  expect(missingSteps({ ...READY, main: { ...main, isPublished: false } })).toEqual([
    { is: 'unpublished', dialog: { id: 'd', name: 'Menu' } },
  ])
  expect(kinds({ ...READY, hasChannel: false })).toEqual(['channel'])
  expect(kinds({ ...READY, isStarted: false })).toEqual(['start'])
  expect(missingSteps({ ...READY, main: null })).toEqual([{ is: 'main', task }])
})

test('claims nothing when a part may not be read [P-1824]', () => {
  expect(missingSteps({ ...READY, hasChannel: undefined })).toBeUndefined()
  expect(missingSteps({ ...READY, defaultTask: undefined, task: undefined, main: undefined })).toBeUndefined()
  expect(missingSteps({ ...READY, main: undefined })).toBeUndefined()
})
