import { CompletionContext } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import { agentProfileExample } from '#domain/agent-profile-example.ts'
import { completeProfile, profileFaults } from './agent-profile-support.ts'

const example = agentProfileExample('gocontact') as Record<string, object>
const written = (change: object) => JSON.stringify({ ...example, ...change }, null, 2)
const lineOf = (text: string, part: string) => text.slice(0, text.indexOf(part)).split('\n').length

test('places a fault at the line of its member, or of the nearest one around it [P-2418]', () => {
  const rule = written({ say: { path: '/x', body: '((' } })
  expect(profileFaults(rule)).toMatchObject([{ path: 'say.body', fault: 'rule', line: lineOf(rule, '"(("') }])
  const lacking = written({ say: { body: '{}' } })
  expect(profileFaults(lacking)).toMatchObject([{ path: 'say.path', fault: 'missing', line: lineOf(lacking, '"say"') }])
  const extra = written({ limits: { text: 10, words: 3 } })
  expect(profileFaults(extra)).toMatchObject([{ path: 'limits.words', fault: 'form', line: lineOf(extra, '"words"') }])
  expect(profileFaults(written({ close: undefined }))).toMatchObject([{ path: 'close', fault: 'missing', line: 1 }])
  expect(profileFaults(written({}))).toEqual([])
  expect(profileFaults('{ "a": ')).toEqual([])
})

const offered = (text: string) =>
  completeProfile(new CompletionContext(EditorState.create({ doc: text }), text.length, true))?.options.map(
    ({ label }) => label,
  )

test('completes names and values from the schema of profiles [P-2418]', () => {
  expect(offered('{"')).toEqual(expect.arrayContaining(['"auth"', '"open"', '"say"', '"close"', '"events"']))
  expect(offered('{"auth": {"')).toEqual(expect.arrayContaining(['"scheme"', '"headers"']))
  expect(offered('{"auth": {"scheme": ')).toEqual(expect.arrayContaining(['"none"', '"bearer"', '"oauth2"', '"login"']))
  expect(offered('{"events": {"by": "poll", "call": {"me')).toContain('"method"')
  expect(offered('{"say": {"opens": ')).toEqual(['true', 'false'])
  expect(offered('{"format": ')).toEqual(['"parley-agent-profile"'])
})
