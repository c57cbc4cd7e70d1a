import { expect, test } from 'vitest'
import { readAgentProfile } from './agent-profile.ts'
import { agentProfileExample } from './agent-profile-example.ts'
import { agentChannelBehaviour } from './channel.ts'
import { readProfile } from './channel-profile.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const answering = (body: string): string =>
  JSON.stringify({ ...(agentProfileExample('xgen') as object), webhook: '$' }).replace(
    '"$"',
    `{"verify":{"scheme":"token"},"key":"body.key","answer":{"body":${body}}}`,
  )

test.each([5_000, 100_000])('a text of %d lists within each other is no profile [P-2420]', depth => {
  expect(readAgentProfile(answering(nested(depth))).faults).toEqual([{ path: '', fault: 'form' }])
  expect(readProfile(nested(depth))).toBeUndefined()
})

test('a profile has at most 20,000 characters [P-2422]', () => {
  const given = { type: 'gocontact', name: 'Agents', bot: 'b' }
  const created = (profile: string) =>
    agentChannelBehaviour.onCreate({ ...given, channel_extra_info: profile }, { facts: { id: 'c' } } as never)
  expect(created(JSON.stringify('a'.repeat(19_998)))).toMatchObject({ ok: true })
  const errors = [{ path: 'channel_extra_info', code: 'toolong', params: { max: 20_000 } }]
  expect(created(JSON.stringify('a'.repeat(19_999)))).toMatchObject({ ok: false, refusal: { errors } })
})
