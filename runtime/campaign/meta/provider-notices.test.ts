import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { appendAtEnd } from '#commands/pipeline/append.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import { noticeStream } from '#schemas/events/notification.ts'
import { exclusiveDrafts } from '../../log/stream-aggregate.ts'
import { ProviderNotices } from './provider-notices.ts'

let folder: string
let store: EventStore
let nodes: readonly ProviderNotices[]
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-notices-'))
  store = await openEmbeddedStore({ folder })
  nodes = []
})
afterEach(async () => {
  await Promise.all(nodes.map(node => node.close()))
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const failed = (error: unknown) => {
  throw error
}
/** Stores a change, which two nodes hear at once. */
const change = async (stream: string, type: string, fields: JsonObject): Promise<void> => {
  await appendAtEnd(store, stream, exclusiveDrafts(stream, [{ type, data: { fields } }]))
  let stored: StoredEvent | undefined
  for await (const event of store.read(stream, { direction: 'backwards', limit: 1 })) stored = event
  if (stored === undefined) throw new Error('nothing was stored')
  if (nodes.length === 0) nodes = [new ProviderNotices(store, failed), new ProviderNotices(store, failed)]
  const event = stored
  await Promise.all(nodes.map(node => node.hear(event)))
}
const given = async (entity: string) => {
  const notices: (readonly [message: unknown, kind: unknown, people: unknown])[] = []
  for await (const { data } of store.read(noticeStream(entity, 'x1')))
    notices.push([data.message, data.kind, (data.params as JsonObject).people])
  return notices
}
const reviewed = (fields: JsonObject) => change('template-x1', 'TemplateReviewed', fields)
const checked = (fields: JsonObject) => change('metaaccount-x1', 'MetaAccountChecked', fields)

test('gives one notice of each decision about a submitted template over all nodes [P-2915]', async () => {
  await change('template-x1', 'TemplateSubmissionTaken', { external_id: '7', status: 'PENDING' })
  await reviewed({ quality: 'GREEN' })
  await reviewed({ status: 'IN_APPEAL' })
  expect(await given('template')).toEqual([])
  await reviewed({ status: 'REJECTED', reason: 'TAG_CONTENT_MISMATCH' })
  await reviewed({ status: 'APPROVED', category: 'marketing', old_category: 'utility' })
  await reviewed({ status: 'PAUSED' })
  await reviewed({ status: 'DISABLED' })
  expect(await given('template')).toEqual([
    ['template.rejected', 'warn', undefined],
    ['template.recategorized', 'warn', undefined],
    ['template.approved', 'info', undefined],
    ['template.paused', 'warn', undefined],
    ['template.disabled', 'alert', undefined],
  ])
})

test('gives a notice of a category that changes with the submission, and none of a listed template [P-2915]', async () => {
  await reviewed({ external_id: '7', status: 'APPROVED', quality: 'GREEN' })
  expect(await given('template')).toEqual([])
  const moved = { external_id: '7', status: 'PENDING', category: 'marketing', old_category: 'utility' }
  await change('template-x1', 'TemplateSubmissionTaken', moved)
  expect(await given('template')).toEqual([['template.recategorized', 'warn', undefined]])
})

test('gives a notice of a ban and of its end [P-2926]', async () => {
  await checked({ number_status: 'CONNECTED' })
  await checked({ restriction: 'BANNED' })
  await checked({ number_status: 'BANNED' })
  await checked({ restriction: null })
  expect(await given('metaaccount')).toEqual([
    ['metaaccount.restricted', 'alert', undefined],
    ['metaaccount.restricted', 'alert', undefined],
    ['metaaccount.reinstated', 'info', undefined],
  ])
})

test('gives a notice when quality or limit of a number changes, and none when they are read first [P-2915]', async () => {
  await checked({ quality_rating: 'UNKNOWN', messaging_limit: 'TIER_1K' })
  await checked({ quality_rating: 'GREEN', checked_at: '2026-11-30T09:00:00.000Z' })
  await checked({ messaging_limit: 'TIER_1K' })
  expect(await given('metaaccount')).toEqual([])
  await checked({ quality_rating: 'YELLOW', messaging_limit: 'TIER_250' })
  await checked({ quality_rating: 'RED' })
  await checked({ quality_rating: 'GREEN', messaging_limit: 'TIER_10K' })
  await checked({ messaging_limit: 'TIER_UNLIMITED' })
  expect(await given('metaaccount')).toEqual([
    ['metaaccount.qualitymedium', 'warn', undefined],
    ['metaaccount.limitlowered', 'warn', 250],
    ['metaaccount.qualitylow', 'alert', undefined],
    ['metaaccount.qualityhigh', 'info', undefined],
    ['metaaccount.limitraised', 'info', 10_000],
    ['metaaccount.limitnone', 'info', undefined],
  ])
})
