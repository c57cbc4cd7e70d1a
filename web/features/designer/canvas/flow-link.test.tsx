import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createFlow } from '#domain/flow/document.ts'
import { addLink, addNode } from '#domain/flow/edit.ts'
import { readFlow } from '#domain/flow/read-flow.ts'
import { createStore } from '../store.ts'
import { CanvasContext, createCanvasState } from './canvas-context.ts'
import { FlowLink } from './flow-link.tsx'
import { COMFORTABLE } from './geometry.ts'
import { planLinks } from './link-plan.ts'
import { createMotion } from './motion.ts'
import { createPositions } from './positions.ts'

const t = (key: string, values?: Readonly<Record<string, unknown>>) => String(values?.defaultValue ?? key)

const drawn = (isHurrying: boolean): string => {
  const doc = createFlow()
  addNode(doc, { id: 'ask', type: 'restservice', title: '', x: 0, y: 0 }, 'me')
  addNode(doc, { id: 'end', type: 'enddialog', title: '', x: 0, y: 600 }, 'me')
  addLink(doc, { id: 'way', from: 'ask', fromConnector: 'output_error', to: 'end', toConnector: 'input_1' }, 'me')
  const flow = createStore(readFlow(doc))
  const [planned] = planLinks(flow.get(), t, COMFORTABLE).links.values()
  if (planned === undefined) throw new Error('no link')
  const state = createCanvasState(
    flow,
    createPositions(flow),
    {},
    { ...createMotion(), hurrying: createStore(isHurrying) },
  )
  return renderToStaticMarkup(
    <CanvasContext value={state}>
      <svg>
        <title>flow</title>
        <FlowLink planned={planned} />
      </svg>
    </CanvasContext>,
  )
}

test('a link that comes into a hurrying view is a line, and says its way only where the view rests', () => {
  expect(drawn(true)).toContain('pl-stroke')
  expect(drawn(true)).not.toContain('pl-label')
  expect(drawn(false)).toContain('pl-label')
})
