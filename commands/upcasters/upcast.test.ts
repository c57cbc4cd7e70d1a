import { expect, test } from 'vitest'
import { dialog } from '#schemas/entities/dialog.ts'
import type { NewEvent, StoredEvent } from '#schemas/event.ts'
import { sessionStartedSchema } from '#schemas/events/session.ts'
import { openWorkbench } from '../fixture/workbench.ts'
import { createLoader } from '../pipeline/load.ts'
import { UnknownEventVersion, upcast } from './upcast.ts'

/** A dialog's stream as it was written when publishing kept the revision outside the fields. */
const OLD: readonly NewEvent[] = [
  {
    id: '10000000-0000-4000-8000-000000000001',
    type: 'DialogCreated',
    version: 1,
    data: { fields: { dialogtask: 't', name: 'Antigo', description: null, published: false } },
    time: '2025-03-01T10:00:00.000Z',
    actor: 'ana',
    correlation: 'c1',
    causation: null,
    level: 'root',
    hash: 'a'.repeat(64),
  },
  {
    id: '10000000-0000-4000-8000-000000000002',
    type: 'DialogPublished',
    version: 1,
    data: { fields: { published: true }, flowrevision: 17 },
    time: '2025-03-02T10:00:00.000Z',
    actor: 'ana',
    correlation: 'c2',
    causation: null,
    level: 'root',
    hash: 'b'.repeat(64),
  },
]

test('events stored in an old shape are read in the present one, by commands and read models', async () => {
  const bench = await openWorkbench()
  try {
    await bench.store.append('dialog-old', 0, OLD)
    const { state } = await createLoader(bench.store).load(dialog, 'old')
    const fields = { name: 'Antigo', published: true, publishedrevision: 17, published_at: '2025-03-02T10:00:00.000Z' }
    expect(state).toMatchObject({ status: 'live', revision: 2, fields })
    const read: StoredEvent[] = []
    for await (const event of bench.store.read('dialog-old')) read.push(upcast(event))
    expect(read[1]).toMatchObject({ version: 2, data: { fields: { publishedrevision: 17 } }, hash: 'b'.repeat(64) })
    expect(read[1]?.data).not.toHaveProperty('flowrevision')
  } finally {
    await bench.close()
  }
})

test.each(['Created', 'Changed', 'Restored'])('a code sample %s under the old name of its document has it', verb => {
  const old = {
    ...(OLD[0] as StoredEvent),
    type: `CodeSample${verb}`,
    data: { fields: { name: 'Soma', markdowndoc: '# Soma' } },
  }
  expect(upcast(old).data).toEqual({ fields: { name: 'Soma', markdown_doc: '# Soma' } })
})

test('a version of a newer program is never guessed at', async () => {
  const bench = await openWorkbench()
  try {
    const [created] = OLD
    if (created === undefined) throw new Error('no event')
    await bench.store.append('dialog-new', 0, [{ ...created, version: 2 }])
    await expect(createLoader(bench.store).load(dialog, 'new')).rejects.toBeInstanceOf(UnknownEventVersion)
  } finally {
    await bench.close()
  }
})

test('returns an event in the current shape unchanged', () => {
  const event = { ...OLD[1], version: 2 } as StoredEvent
  expect(upcast(event)).toBe(event)
})

test.each(['Created', 'Changed', 'Restored'])(
  'a variable %s with the old name of its scope has the present one',
  verb => {
    const old = {
      ...(OLD[0] as StoredEvent),
      type: `Variable${verb}`,
      data: { fields: { name: 'cpf', scope: 'userdata' } },
    }
    expect(upcast(old).data).toEqual({ fields: { name: 'cpf', scope: 'user' } })
  },
)

test.each(['Created', 'Changed', 'Restored'])('a campaign %s keeps the schedule stored as `cron`', verb => {
  const old = {
    ...(OLD[0] as StoredEvent),
    type: `Campaign${verb}`,
    data: { fields: { name: 'natal', cron: '0 9 * * 1-5' } },
  }
  expect(upcast(old).data).toEqual({ fields: { name: 'natal', cron_expression: '0 9 * * 1-5' } })
  const unscheduled = { ...old, data: { fields: { name: 'natal' } } }
  expect(upcast(unscheduled).data).toEqual({ fields: { name: 'natal' } })
})

test('a session of version 1 was begun by password [P-2547]', () => {
  const data = { user: 'u1', level: 'l1', expires: '2026-12-01T00:00:00.000Z' }
  const old = { ...(OLD[0] as StoredEvent), type: 'SessionStarted', stream: 'session-s1', data }
  const lifted = upcast(old)
  expect(lifted).toMatchObject({ version: 2, data: { ...data, way: 'password', provider: null, sub: null, sid: null } })
  expect(sessionStartedSchema.safeParse(lifted.data).success).toBe(true)
})
