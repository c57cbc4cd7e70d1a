import { expect, test } from 'vitest'
import { type Hint, readHint, writeHint } from './hint.ts'

const HINTS: readonly Hint[] = [
  { kind: 'edit', revision: 3, hash: 'h', bindings: [{ client: 7, user: 'ana' }] },
  { kind: 'awareness' },
  { kind: 'query' },
  {
    kind: 'present',
    flow: { kind: 'handler', id: 'd1' },
    members: [{ user: 'ana', name: 'Ana', color: '#1C3DBB', mayEdit: true }],
  },
  { kind: 'taken?', ask: 'a', position: '7', entity: 'nluproject', id: 'p' },
  { kind: 'taken', ask: 'a', bots: ['b'], more: false },
  { kind: 'talking', node: 'n1' },
  { kind: 'here', name: 'n1' },
  { kind: 'ask', ask: 'a', about: 'log' },
  { kind: 'answer', ask: 'a', part: 0, parts: 1 },
  { kind: 'counts', counts: [{ limit: 'upload', key: 'k', calls: 2 }] },
  { kind: 'beat' },
  { kind: 'hello' },
  { kind: 'bye' },
]

test.each(HINTS)('a hint comes as it went: $kind', hint => {
  expect(readHint(writeHint(hint, Uint8Array.of(1, 2, 3)))).toEqual({ hint, bytes: Uint8Array.of(1, 2, 3) })
})

test.each([
  ['nothing', new Uint8Array()],
  ['no JSON', Uint8Array.of(1, 123, 0)],
  ['an unknown kind', writeHint({ kind: 'grant' } as unknown as Hint)],
  ['a member too many', writeHint({ kind: 'beat', user: 'root' } as unknown as Hint)],
  ['a member too few', writeHint({ kind: 'edit' } as unknown as Hint)],
  ['no revision', writeHint({ kind: 'edit', revision: 0, hash: '', bindings: [] })],
  ['bytes left over', Uint8Array.from([...writeHint({ kind: 'beat' }), 0])],
])('%s is no hint', (_what, message) => {
  expect(readHint(message)).toBeUndefined()
})
