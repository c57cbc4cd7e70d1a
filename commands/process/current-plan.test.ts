import { afterAll, expect, test } from 'vitest'
import { pausedStore } from '../fixture/memory-store.ts'
import { caller, openWorkbench } from '../fixture/workbench.ts'
import type { Command } from '../port.ts'

const bench = await openWorkbench()
afterAll(() => bench.close())

const CONFIRM = { confirm: 'CONFIRM' }
const typesOf = async (stream: string) => (await bench.events(stream)).map(({ type }) => type)

/** Another node pauses right before its process begins, and `meanwhile` runs. */
const overtaken = async (
  command: Pick<Command, 'entity' | 'action' | 'id' | 'only'>,
  meanwhile: () => Promise<unknown>,
) => {
  const { store, reached, release } = pausedStore(bench.store, 1)
  const late = bench.again({ store }).execute({ ...command, input: CONFIRM, caller: caller(), correlation: 'late' })
  await reached
  await meanwhile()
  release()
  return late
}

test('refuses to remove a bot when it has left the asked revision before the process began', async () => {
  const { id } = await bench.must('bot', 'create', '', { name: 'Alterado' })
  const rename = () => bench.must('bot', 'change', id, { description: 'novo' })
  const answer = await overtaken({ entity: 'bot', action: 'remove', id, only: 1 }, rename)
  expect(answer).toMatchObject({ ok: false, refusal: { code: 'entity.revision' } })
  expect(await typesOf(`bot-${id}`)).toEqual(['BotCreated', 'BotChanged'])
  expect((await bench.events(`process-${id}`)).map(({ type, data }) => [type, data.abandoned])).toEqual([
    ['ProcessStarted', undefined],
    ['ProcessFinished', true],
  ])
})

test('makes the plan again when the bot has changed before the process began', async () => {
  const { id } = await bench.must('bot', 'create', '', { name: 'Planejado' })
  const start = () => bench.must('bot', 'start', id)
  const answer = await overtaken({ entity: 'bot', action: 'remove', id }, start)
  expect(answer).toMatchObject({ ok: true, revision: 3 })
  expect(await typesOf(`bot-${id}`)).toEqual(['BotCreated', 'BotStarted', 'BotRemoved'])
})

test('answers 404 to the second of two nodes when both remove a bot', async () => {
  const { id } = await bench.must('bot', 'create', '', { name: 'Duas vezes' })
  const remove = () => bench.must('bot', 'remove', id, CONFIRM)
  const answer = await overtaken({ entity: 'bot', action: 'remove', id }, remove)
  expect(answer).toMatchObject({ ok: false, refusal: { code: 'entity.notfound' } })
})

test('brings back what the removal that was carried out has removed, not what an abandoned one would have', async () => {
  const { id } = await bench.must('bot', 'create', '', { name: 'De volta' })
  const task = (await bench.must('dialogtask', 'create', '', { name: 'Tarefa', bot: id })).id
  const change = async () => {
    await bench.must('dialogtask', 'remove', task, CONFIRM)
    await bench.must('bot', 'change', id, { description: 'novo' })
  }
  await overtaken({ entity: 'bot', action: 'remove', id, only: 1 }, change)
  await bench.must('bot', 'remove', id, CONFIRM)
  await bench.must('bot', 'restore', id, { revision: 1 })
  expect((await typesOf(`dialogtask-${task}`)).at(-1)).toBe('DialogTaskRemoved')
})
