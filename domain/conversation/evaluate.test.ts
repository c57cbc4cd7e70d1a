import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#schemas/event.ts'
import type { EffectAnswer, EvaluationJob } from './effect.ts'
import { type DialogSketch, NOW, releaseOf, settingsWith } from './fixture/talk.ts'
import { runTurn } from './run-turn.ts'
import { newConversation } from './state.ts'

const textOf = (job: EvaluationJob) => (job.kind === 'pattern' ? job.input : job.text)

/** Texts that a first turn evaluates, request by request; each evaluates to its capitals. */
const askedIn = (block: DialogSketch[string]) => {
  const release = releaseOf({ main: { start: { type: 'start', to: 'a' }, a: block } })
  const environment = { release, settings: settingsWith(), now: NOW, seed: 1 }
  const channel = { id: 'web', type: 'webchat' }
  const state = newConversation({ id: 'c', started: NOW, channel, user: { id: 'u' }, locale: 'pt' })
  const asked: (readonly string[])[] = []
  const running = runTurn(environment, state, { kind: 'open' })
  let step = running.next()
  while (!step.done) {
    const { jobs } = step.value as { readonly jobs: readonly EvaluationJob[] }
    asked.push(jobs.map(textOf))
    const values = jobs.map(job => ({ ok: true, value: textOf(job).toUpperCase() }) as const)
    step = running.next({ kind: 'evaluate', ms: 1, values } satisfies EffectAnswer)
  }
  return { asked, said: step.value.said, step: step.value.steps.at(-1) }
}

const button = (title: string): JsonObject => ({ type: 'imBack', title, value: `${title} {{v}}` })

describe('the expressions of a block', () => {
  it.each<[string, JsonObject, number]>([
    ['text', { text: 'Oi {{a}}', attachments: [{ contentType: 'image/png', contentUrl: '{{b}}', name: 'c' }] }, 2],
    ['herocard', { title: '{{a}}', subtitle: '{{b}}', text: '{{c}}', buttons: [button('{{d}}'), button('{{e}}')] }, 7],
    ['mediacard', { media: { title: '{{a}}', text: '{{b}}', uri: '{{c}}' }, buttons: [button('{{d}}')] }, 5],
    [
      'carousel',
      {
        cards: {
          items: ['x', 'y'].map(name => ({
            header: { type: 'image', value: { title: `{{${name}1}}`, text: `{{${name}2}}`, uri: `{{${name}3}}` } },
            options: [button(`{{${name}4}}`)],
          })),
        },
      },
      14,
    ],
    [
      'prompt',
      { varname: 'x', data: { type: 'choice', text: '{{a}}?', options: [{ label: '{{b}}', value: '{{c}}' }] } },
      3,
    ],
  ])('of type %s are asked for as one job [R-14]', (type, properties, count) => {
    const { asked, said, step } = askedIn({ type, properties })
    expect(asked.map(jobs => jobs.length)).toEqual([count])
    expect(said).toHaveLength(1)
    expect(step).toMatchObject({ block: 'a', ms: 1 })
    expect(JSON.stringify(said)).not.toMatch(/\{\{[a-z]/u)
  })
})
