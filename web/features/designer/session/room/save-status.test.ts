import { expect, test } from 'vitest'
import { isDocumentMessage } from './ack-socket.ts'
import { saveStatus } from './delivery.ts'

type Delivery = Parameters<typeof saveStatus>[0]

const at = (change: Partial<Delivery>): Delivery => ({
  connected: true,
  synced: true,
  sent: 3,
  acked: 3,
  kept: 0,
  waiting: 0,
  ...change,
})

test('saved means that every document message of this connection is acknowledged', () => {
  expect(saveStatus(at({}))).toBe('saved')
  expect(saveStatus(at({ acked: 2, kept: 1, waiting: 500 }))).toBe('saving')
})

test('returns saving only after 400 ms, and failed without an acknowledgement', () => {
  expect(saveStatus(at({ acked: 2, kept: 1, waiting: 300 }))).toBe('saved')
  expect(saveStatus(at({ acked: 2, kept: 1, waiting: 20_000 }))).toBe('failed')
})

test('returns offline without a connection, for any acknowledgement', () => {
  expect(saveStatus(at({ connected: false }))).toBe('offline')
})

test('edits kept from before count as being saved until the documents are in step', () => {
  expect(saveStatus(at({ synced: false, kept: 4 }))).toBe('saving')
  expect(saveStatus(at({ synced: false, kept: 0 }))).toBe('saved')
})

test('sync step 2 and updates count as document messages; step 1 and awareness do not', () => {
  expect(isDocumentMessage(new Uint8Array([0, 1, 2]))).toBe(true)
  expect(isDocumentMessage(new Uint8Array([0, 2, 2]))).toBe(true)
  expect(isDocumentMessage(new Uint8Array([0, 0, 1]))).toBe(false)
  expect(isDocumentMessage(new Uint8Array([1, 2, 2]))).toBe(false)
})
