import { expect, test } from 'vitest'
import type { ReadModels } from '#projections/port.ts'
import { openAgents } from './open-agents.ts'

test('reads a channel with an invalid profile once for each of its revisions [P-2414]', async () => {
  const row = { id: 'c1', revision: 1, bot: 'b1', type: 'gocontact', channel_extra_info: '{' }
  let reads = 0
  const agents = openAgents({
    read: {
      detail: async (_: unknown, entity: string) => (entity === 'agentchannel' ? { ...row } : undefined),
    } as unknown as ReadModels,
    commands: {
      async openFields() {
        reads += 1
        return row
      },
    },
    ...({} as Pick<Parameters<typeof openAgents>[0], 'call' | 'openSocket' | 'work'>),
  })
  for (let n = 0; n < 3; n++) expect(await agents.open('c1')).toBeUndefined()
  expect(reads).toBe(1)
  row.revision = 2
  expect(await agents.open('c1')).toBeUndefined()
  expect(reads).toBe(2)
})
