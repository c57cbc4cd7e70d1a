import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { itemsOf } from '#domain/field/stored-items.ts'
import { bot as botEntity } from '#schemas/entities/bot.ts'
import type { JsonObject } from '#schemas/event.ts'
import { processStream } from '#schemas/events/entity.ts'
import type { VersionFile } from '#schemas/version-file.ts'
import { environmentFields } from '#schemas/versioned.ts'
import { openWorkbench, versionFile } from '../fixture/workbench.ts'
import { withIds } from '../flow/read-flow-file.ts'
import { packText } from '../packed-text.ts'
import { append, draft, NO_STREAM } from '../pipeline/append.ts'
import { writeContent } from './content.ts'

/** Version files of 2026-11, from before entities declared `versioned`. */
const FIXTURES = join(import.meta.dirname, '../../test/fixture/version')
const fixture = (name: string): string => readFileSync(join(FIXTURES, `${name}.parley-version`), 'utf8')
/** The fixture as it is read today: the scope `userdata` of a variable is called `user`. */
const present = (name: string) => JSON.parse(fixture(name).replaceAll('"userdata"', '"user"'))

const bench = await openWorkbench()
afterAll(() => bench.close())

const CONFIRM = { confirm: 'CONFIRM' }
const author = { seed: 'old', actor: 'ana', time: '2026-11-21T15:00:00.000Z', correlation: 'c', causation: null }

/** The file with a path of names for each id, so that files of two bots can be compared. */
const byName = (file: VersionFile): JsonObject => {
  const paths: Record<string, string> = {}
  const add = (path: string, { id, name }: JsonObject) => {
    if (typeof id === 'string') paths[id] = `${path}/${name}`
  }
  add('bot', { id: file.bot.id ?? null, name: '' })
  for (const member of ['variables', 'variableschemas'] as const)
    for (const thing of itemsOf(file[member])) add(member, thing)
  for (const task of itemsOf(file.dialogtasks)) {
    add('task', task)
    for (const dialog of itemsOf(task.dialogs)) add(`dialog/${task.name}`, dialog)
    for (const handler of itemsOf(task.handlers)) add(`handler/${task.name}`, handler)
  }
  const { name: _name, description: _description, bot, ...content } = withIds(file, paths)
  const { name: _botName, ...settings } = bot
  return { ...content, bot: settings } as unknown as JsonObject
}

const stateOf = async (bot: string): Promise<VersionFile> => {
  const { id } = await bench.must('version', 'create', '', { bot, name: 'State' })
  const file = await versionFile(bench.handler, id)
  if (file === undefined) throw new Error('no content')
  return file
}

const emptyBot = async (name: string) => (await bench.must('bot', 'create', '', { name })).id

test('applies a version kept before entities declared whether versions take them [P-140]', async () => {
  const bot = await emptyBot('Kept')
  const { id } = await bench.must('version', 'create', '', { bot, name: 'v1' })
  const own = withIds(present('kept'), { [present('kept').bot.id]: bot })
  const packed = await packText(Readable.from([JSON.stringify(own)]))
  await writeContent({ store: bench.store }, author, id, 'root', packed)
  await bench.must('version', 'apply', id, CONFIRM)
  expect(byName(await stateOf(bot))).toMatchObject(byName(present('kept')))
})

test('reads and applies a file downloaded before entities declared whether versions take them [P-140]', async () => {
  const bot = await emptyBot('Uploaded')
  const { id } = await bench.must('version', 'upload', '', { bot, file: fixture('downloaded') })
  expect(await versionFile(bench.handler, id)).toEqual(present('downloaded'))
  const { bot: before } = await stateOf(bot)
  await bench.must('version', 'apply', id, CONFIRM)
  // The file is of another bot.
  const stays = Object.fromEntries([...environmentFields(botEntity, false)].map(name => [name, before[name] ?? null]))
  const wanted = { ...present('downloaded'), bot: { ...present('downloaded').bot, ...stays } }
  expect(byName(await stateOf(bot))).toMatchObject(byName(wanted))
})

test('finishes an apply that was started with steps as they were stored then [P-147]', async () => {
  const bot = await emptyBot('Resumed')
  const { id } = await bench.must('version', 'upload', '', { bot, file: fixture('downloaded') })
  const task = (await bench.must('dialogtask', 'create', '', { bot, name: 'Conta de luz' })).id
  const handler = (await bench.must('handler', 'create', '', { dialogtask: task, name: 'Handler' })).id
  const step = { do: 'applyflow', entity: 'handler', id: handler, version: id, task: 0, index: 0 }
  const plan = { kind: 'apply', root: bot, steps: [step], ids: {} }
  const started = draft({ ...author, seed: 'resumed' }, 'process', 'ProcessStarted', 'root', plan)
  await append(bench.store, processStream(bot), NO_STREAM, [started])
  await bench.again().resumeProcesses()
  const [task0] = itemsOf((await stateOf(bot)).dialogtasks)
  const [wanted] = itemsOf(JSON.parse(fixture('downloaded')).dialogtasks)
  expect(itemsOf(task0?.handlers)[0]).toMatchObject({ js: itemsOf(wanted?.handlers)[0]?.js })
  expect(itemsOf(task0?.handlers)[0]?.flow).toEqual(itemsOf(wanted?.handlers)[0]?.flow)
})
