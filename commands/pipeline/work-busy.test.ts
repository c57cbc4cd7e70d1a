import { expect, test } from 'vitest'
import { openWorkbench } from '../fixture/workbench.ts'
import { INLINE_CHECKS } from '../port.ts'
import { WorkBusy } from '../time-slicer.ts'

test('refuses a command whose check no process is free for, with the time to wait [P-1703]', async () => {
  const bench = await openWorkbench()
  const bot = (await bench.must('bot', 'create', '', { name: 'Bot' })).id
  const testFile = async () => {
    throw new WorkBusy('work.busy')
  }
  const command = { entity: 'conversationtest', action: 'create', id: '', input: { bot, name: 't', file: 'x' } }
  const commands = bench.again({ checks: { ...INLINE_CHECKS, testFile } })
  const caller = { user: 'ana', session: 's', level: 'root', subtree: new Set(['root']), permits: () => true }
  expect(await commands.execute({ ...command, caller, correlation: 'c' })).toEqual({
    ok: false,
    refusal: { code: 'request.toomany', params: { retryAfter: 10 } },
  })
  await bench.close()
})
