import { expect, test } from 'vitest'
import { accepted, type RefusalCode, refused } from '#schemas/refusal.ts'
import type { AgentEvent } from '../agent-port.ts'
import { openAgentFiles } from './agent-files.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
)
const message = (id: string): AgentEvent => ({
  ...{ kind: 'message', id, from: 'agent', text: '' },
  files: [{ name: 'foto.png', type: '', url: `https://chat.example/${id}` }],
})

const opened = (fields: object, failing: RefusalCode | undefined = undefined) => {
  const fetched: string[] = []
  const kept: string[] = []
  const fetchFile = async (url: string) => {
    fetched.push(url)
    return failing === undefined ? accepted(new Uint8Array(PNG)) : refused(failing)
  }
  const keep = openAgentFiles({
    agents: { open: async () => ({ row: {}, fields, system: { fetchFile } }) as never },
    storage: {
      put: async ({ name, type, content, owner }) =>
        ({ id: 'f'.repeat(64), name, type, size: content.length, owner }) as never,
      keep: async id => void kept.push(id),
    },
    baseUrl: () => 'https://bots.example',
    failed: error => {
      throw error
    },
  })
  return { fetched, kept, keep }
}
const place = { conversation: 'c', channel: 'a', seen: new Set(['old']) }

test('fetches files of agents with the key of the channel, keeps them, and shows them at our address [P-2413]', async () => {
  const { fetched, kept, keep } = opened({ attachment_needs_authentication: true })
  const [old, fresh] = await keep(place, [message('old'), message('new')])
  expect(fetched).toEqual(['https://chat.example/new'])
  expect(kept).toEqual(['f'.repeat(64)])
  expect(old).toEqual(message('old'))
  expect(fresh).toMatchObject({
    files: [{ name: 'foto.png', type: 'image/png', url: `https://bots.example/chat/files/${'f'.repeat(64)}` }],
  })
})

test('leaves addresses as they are without that setting, or when the system has no such file [P-2413]', async () => {
  const open = opened({ attachment_needs_authentication: false })
  expect(await open.keep(place, [message('new')])).toEqual([message('new')])
  expect(open.fetched).toEqual([])
  const gone = opened({ attachment_needs_authentication: true }, 'agent.notfound')
  expect(await gone.keep(place, [message('new')])).toEqual([message('new')])
})
