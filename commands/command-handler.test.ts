import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { caller, openWorkbench } from './fixture/workbench.ts'
import { type EventStore, storeAround } from './store/port.ts'

const bench = await openWorkbench()
afterAll(() => bench.close())

describe('making', () => {
  test('a bot is made with every field at what it is when nobody gave it', async () => {
    const { id, revision } = await bench.must('bot', 'create', '', { name: 'Ajuda' })
    const [event] = await bench.events(`bot-${id}`)
    expect(revision).toBe(1)
    expect(event).toMatchObject({ type: 'BotCreated', version: 1, actor: 'ana', level: 'root', correlation: 'test' })
    expect(event?.data.fields).toMatchObject({
      name: 'Ajuda',
      runningstatus: 'stopped',
      nlutimeout: 40000,
      brain: null,
    })
  })

  test('nothing is read before a new thing is written, with an idempotency key and without', async () => {
    let reads = 0
    const read: EventStore['read'] = (...asked) => {
      reads += 1
      return bench.store.read(...asked)
    }
    const before: number[] = []
    const append: EventStore['append'] = (...asked) => {
      if (asked[0].startsWith('codesample-')) before.push(reads)
      return bench.store.append(...asked)
    }
    const handler = bench.again({ store: storeAround(bench.store, { read, append }) })
    const command = {
      entity: 'codesample',
      action: 'create',
      id: '',
      input: { name: 'a' },
      caller: caller(),
      correlation: '',
    }
    expect(await handler.execute(command)).toMatchObject({ ok: true, revision: 1 })
    reads = 0
    const key = { value: 'k', method: 'POST', path: '/codesample', body: 'b' }
    expect(await handler.execute({ ...command, key })).toMatchObject({ ok: true, revision: 1 })
    expect(before).toEqual([0, 0])
  })

  test('an id that turns out to be closed is passed over for the next one', async () => {
    const close: EventStore['append'] = async (stream, expected, events) => {
      if (closed === undefined && stream.startsWith('codesample-')) {
        closed = stream
        const abandoned = { id: crypto.randomUUID(), type: 'CodeSampleAbandoned', version: 1 }
        await bench.store.append(
          stream,
          expected,
          events.map(event => ({ ...event, ...abandoned })),
        )
      }
      return bench.store.append(stream, expected, events)
    }
    let closed: string | undefined
    const handler = bench.again({ store: storeAround(bench.store, { append: close }) })
    const command = { entity: 'codesample', action: 'create', id: '', input: { name: 'b' }, caller: caller() }
    const made = await handler.execute({ ...command, correlation: '' })
    expect(made).toMatchObject({ ok: true, revision: 1 })
    expect(made.ok && `codesample-${made.id}`).not.toBe(closed)
    expect(await bench.events(closed ?? '')).toHaveLength(1)
  })

  test('a member that it does not have, one that only the server sets, and one of another type are refused', async () => {
    const outcome = await bench.run('bot', 'create', '', {
      name: 'x',
      runningstatus: 'running',
      nope: 1,
      stepdelay: 'a',
    })
    expect(outcome).toMatchObject({ ok: false, refusal: { code: 'validation.failed' } })
    const errors = outcome.ok ? [] : (outcome.refusal.errors ?? [])
    expect(errors.map(({ path, code }) => [path, code]).sort()).toEqual([
      ['nope', 'unknown'],
      ['runningstatus', 'readonly'],
      ['stepdelay', 'type'],
    ])
  })

  test('a task in a bot that does not exist is refused at its field', async () => {
    const outcome = await bench.run('dialogtask', 'create', '', { name: 'x', bot: 'nowhere' })
    expect(outcome).toMatchObject({
      refusal: { code: 'validation.failed', errors: [{ path: 'bot', code: 'reference' }] },
    })
  })

  test('without the permission nothing is made, and outside the own levels nothing exists', async () => {
    const nobody = caller({ permits: () => false })
    expect(await bench.run('bot', 'create', '', { name: 'y' }, { caller: nobody })).toMatchObject({
      refusal: { code: 'access.forbidden' },
    })
    const { id } = await bench.must('bot', 'create', '', { name: 'Alheio' })
    const elsewhere = caller({ level: 'far', subtree: new Set(['far']) })
    const change = { caller: elsewhere, revision: 1 }
    expect(await bench.run('bot', 'change', id, { name: 'z' }, change)).toMatchObject({
      refusal: { code: 'entity.notfound' },
    })
    expect(
      await bench.run('bot', 'create', '', { name: 'q', hierarchylevel: 'root' }, { caller: elsewhere }),
    ).toMatchObject({ refusal: { code: 'entity.notfound' } })
  })
})

describe('changing', () => {
  test('others changed other fields: merged; the same field: a conflict with the three values', async () => {
    const { id } = await bench.must('bot', 'create', '', { name: 'Juntos', description: 'a' })
    await bench.must('bot', 'change', id, { description: 'b' }, { revision: 1 })
    const merged = await bench.must('bot', 'change', id, { customer: 'c' }, { revision: 1 })
    expect(merged.revision).toBe(3)
    expect(await bench.run('bot', 'change', id, { description: 'mine' }, { revision: 1 })).toMatchObject({
      refusal: {
        code: 'entity.conflict',
        errors: [{ path: 'description', code: 'conflict', before: 'a', yours: 'mine', theirs: 'b' }],
      },
    })
    const agreed = await bench.must('bot', 'change', id, { description: 'b' }, { revision: 1 })
    expect(agreed).toEqual({ ok: true, id, revision: 3 })
  })

  test('a revision that never was is refused', async () => {
    const { id } = await bench.must('codesample', 'create', '', { name: 'a' })
    expect(await bench.run('codesample', 'change', id, { name: 'b' }, { revision: 7 })).toMatchObject({
      refusal: { code: 'entity.revision' },
    })
  })

  test('a name taken in the level, folded, is refused; freed by renaming it can be had', async () => {
    const { id } = await bench.must('bot', 'create', '', { name: 'Único' })
    const taken = await bench.run('bot', 'create', '', { name: '  úNICO ' })
    expect(taken).toMatchObject({ refusal: { code: 'entity.name.taken', params: { name: '  úNICO ' } } })
    await bench.must('bot', 'create', '', { name: 'unico', hierarchylevel: 'root' })
    await bench.must('bot', 'create', '', { name: 'Único', hierarchylevel: 'branch' })
    await bench.must('bot', 'change', id, { name: 'Outro' }, { revision: 1 })
    await bench.must('bot', 'create', '', { name: 'único' })
  })
})

describe('removing and bringing back', () => {
  test('a bot is removed only with CONFIRM, its name is free then, and it comes back with another', async () => {
    const { id } = await bench.must('bot', 'create', '', { name: 'Some' })
    expect(await bench.run('bot', 'remove', id)).toMatchObject({ refusal: { code: 'validation.confirm' } })
    const removed = await bench.must('bot', 'remove', id, { confirm: 'CONFIRM' })
    expect(removed.revision).toBe(2)
    await bench.must('bot', 'create', '', { name: 'Some' })
    expect(await bench.run('bot', 'restore', id, { revision: 1 })).toMatchObject({
      refusal: { code: 'entity.name.taken' },
    })
  })

  test('one field or all come back as they stood', async () => {
    const { id } = await bench.must('codesample', 'create', '', { name: 'a', description: 'b' })
    await bench.must('codesample', 'change', id, { name: 'c', description: 'd' }, { revision: 1 })
    await bench.must('codesample', 'restore', id, { revision: 1, fields: ['name'] })
    const [, , one] = await bench.events(`codesample-${id}`)
    expect(one).toMatchObject({ type: 'CodeSampleRestored', data: { fields: { name: 'a' }, from: 1 } })
    expect((await bench.must('codesample', 'restore', id, { revision: 1 })).revision).toBe(4)
    expect((await bench.must('codesample', 'restore', id, { revision: 1 })).revision).toBe(4)
    expect(await bench.run('codesample', 'restore', id, { revision: 9 })).toMatchObject({
      refusal: { errors: [{ path: 'revision', code: 'toolarge' }] },
    })
  })
})

test('rejects an input too large for an event and changes nothing', async () => {
  const stored = await openWorkbench({ isEmbedded: true })
  onTestFinished(stored.close)
  const bot = (await stored.must('bot', 'create', '', { name: 'Enorme' })).id
  const schemajson = { text: 'x'.repeat(1_100_000) }
  expect(await stored.run('variableschema', 'create', '', { name: 's', bot, schemajson })).toMatchObject({
    refusal: { code: 'request.toolarge' },
  })
  await stored.must('variableschema', 'create', '', { name: 's', bot, schemajson: {} })
})

describe('secrets', () => {
  test('the value of a secret global variable is in no event, and is dropped when it stops being one [C-3.52]', async () => {
    const { id } = await bench.must('globalvariable', 'create', '', { name: 'k', value: 'hunter2', secret: true })
    await bench.must('globalvariable', 'change', id, { value: 'hunter2' }, { revision: 1 })
    const [created, ...more] = await bench.events(`globalvariable-${id}`)
    expect(more).toEqual([])
    expect(created?.data.fields).toMatchObject({ value: { $secret: expect.anything() } })
    await bench.must('globalvariable', 'change', id, { secret: false }, { revision: 1 })
    const [, changed] = await bench.events(`globalvariable-${id}`)
    expect(changed?.data.fields).toEqual({ secret: false, value: null })
    expect(JSON.stringify(await bench.events(`globalvariable-${id}`))).not.toContain('hunter2')
  })
})
