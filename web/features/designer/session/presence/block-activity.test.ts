import type { TFunction } from 'i18next'
import { expect, test } from 'vitest'
import { importFlow } from '#domain/flow/document/patch-flow.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import { type FlowSummary, type LinkMention, NO_CHANGES } from '#schemas/flow/summary.ts'
import type { Moment } from '#web/entity/flow/read-revisions.ts'
import { blockActivities, blockActivityText } from './block-activity.ts'

const block = (type: string, title: string, properties: Record<string, unknown>) => ({
  type,
  title,
  top: 0,
  left: 0,
  properties: { inputs: {}, outputs: {}, ...properties },
})
const options = [
  { id: 'pix', label: 'Pix', value: '' },
  { id: 'b', label: 'Boleto', value: '' },
]
const outputs = { output_1: { label: '' }, pix: { label: '' }, b: { label: '' } }
const flow = readFlow(
  importFlow({
    format: 'parley-flow',
    version: 1,
    operators: {
      q: block('prompt', 'Pagamento', { data: { type: 'choice', text: 'Como?', options }, outputs }),
      a: block('text', 'Obrigado', { text: 'Obrigado' }),
    },
    links: {},
  } as unknown as Parameters<typeof importFlow>[0]),
)
const MINUTE = 60_000
const edit = (revision: number, summary: Partial<FlowSummary>): Moment =>
  ({
    revision,
    time: new Date(revision * 10 * MINUTE).toISOString(),
    authors: [{ id: 'u', username: 'Ana' }],
    summary: { ...NO_CHANGES, ...summary },
  }) as unknown as Moment
const links = (kind: keyof FlowSummary['links'], ...mentions: readonly LinkMention[]) => ({
  links: { ...NO_CHANGES.links, [kind]: mentions },
})
const link = (id: string, to = 'a'): LinkMention => ({ id, from: 'q', to })

test('names the links of a block that were made, changed and removed, by option [P-2841]', () => {
  const t = ((key: string, { links: said }: { links: string }) => `${key} ${said}`) as unknown as TFunction<'designer'>
  const words = (key: string) => key
  const moments = [
    edit(1, { added: [{ id: 'q', type: 'prompt', title: '' }], ...links('added', link('q:output_1:0')) }),
    edit(2, links('added', link('q:pix:0'), link('q:b:0'))),
    edit(3, links('changed', link('q:pix:0', 'gone'))),
    edit(4, links('removed', link('other id'))),
    edit(5, links('removed', { id: 'a:output_1:0', from: 'a', to: 'q' })),
  ]
  const said = blockActivities(moments, 'q').map(
    deed => blockActivityText(deed, { flow, type: 'prompt' }, t, words).did,
  )
  expect(said.map(text => text.replace('inspector.did_', '').trim())).toEqual([
    'unlinked → Obrigado',
    'relinked Pix → goneBlock',
    'linked Pix → Obrigado, Boleto → Obrigado',
    'added',
  ])
})
