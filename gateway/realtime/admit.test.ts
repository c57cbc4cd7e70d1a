import { expect, test } from 'vitest'
import type { Access, ReadModels } from '#projections/port.ts'
import { openRoomAuthorizer } from '../http/guard.ts'

const ANA: Access = {
  user: 'ana',
  session: 's',
  username: 'ana',
  home: 'root',
  level: 'root',
  permissions: new Set(['readdialog', 'updatedialog']),
  started: '2026-01-01T00:00:00.000Z',
  expires: '9999-01-01T00:00:00.000Z',
  way: 'password',
}

const admitted = (access: Access) => {
  const read: Pick<ReadModels, 'access' | 'detail' | 'people'> = {
    access: () => access,
    detail: async () => ({ id: 'd', revision: 1, name: 'Menu', hierarchylevel: 'root' }) as never,
    people: async (_scope, ids) => ids.map(id => ({ id, username: id, firstname: id, lastname: null }) as never),
  }
  return openRoomAuthorizer(read as ReadModels)('dialog', 'd', 's')
}

test('lets who looks as another person into a room under their own name, without edits [P-584]', async () => {
  expect(await admitted(ANA)).toMatchObject({ user: 'ana', name: 'ana', mayEdit: true })
  const seen: Access = { ...ANA, seenBy: { user: 'chefe', username: 'chefe' } }
  expect(await admitted(seen)).toMatchObject({ user: 'chefe', name: 'chefe', mayEdit: false })
})
