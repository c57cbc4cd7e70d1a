import { afterEach, describe, expect, test, vi } from 'vitest'
import { createFlow } from '#domain/flow/document/document.ts'
import { addNode } from '#domain/flow/document/edit.ts'
import { readNode } from '#domain/flow/document/read-flow.ts'
import { createUndo } from '#domain/flow/undo/undo.ts'
import { createCanvasState } from '../../canvas/canvas-context.ts'
import { createPositions } from '../../canvas/positions.ts'
import { boxOf, contentsOf } from '../../model/block-appearance.ts'
import { observeFlow } from '../../model/flow-store.ts'
import { COMFORTABLE, COMPACT, overlapping } from '../../model/geometry.ts'
import { readingOrder, walk } from '../../model/reading-order.ts'
import { createActions, OWN_EDIT } from './edit-actions.ts'
import { preferredOutput } from './place-blocks.ts'

const given = () => {
  const doc = createFlow()
  addNode(doc, { id: 's', type: 'start', title: '', x: 0, y: 0 }, 'other')
  addNode(doc, { id: 'a', type: 'text', title: '', x: 0, y: 100 }, 'other')
  addNode(doc, { id: 'b', type: 'text', title: '', x: 300, y: 100 }, 'other')
  const flow = observeFlow(doc)
  const state = createCanvasState(flow, createPositions(flow))
  const undo = createUndo(doc, [OWN_EDIT])
  return { doc, flow, state, actions: createActions(doc, state, undo) }
}

describe('on the canvas', () => {
  afterEach(() => vi.useRealTimers())

  test('a second link from an output replaces the first', () => {
    const { actions, flow } = given()
    actions.link({ from: 's', fromConnector: 'output_1' }, 'a')
    actions.link({ from: 's', fromConnector: 'output_1' }, 'b')
    expect([...flow.get().links.values()].map(({ to }) => to)).toEqual(['b'])
  })

  test('deleting a block deletes its links, and one undo brings both back', () => {
    const { actions, flow, state } = given()
    actions.link({ from: 's', fromConnector: 'output_1' }, 'a')
    state.selection.set({ blocks: new Set(['a']), links: new Set() })
    expect(actions.remove()).toEqual({ blocks: 1, links: 0 })
    expect(flow.get().links.size).toBe(0)
    actions.undo()
    expect(flow.get().nodes.has('a')).toBe(true)
    expect(flow.get().links.size).toBe(1)
  })

  test('copied blocks are pasted from their text with the links among them, and selected', () => {
    const { actions, flow, state } = given()
    actions.link({ from: 's', fromConnector: 'output_1' }, 'a')
    state.selection.set({ blocks: new Set(['s', 'a']), links: new Set() })
    const text = actions.copy() ?? ''
    expect(actions.paste(text)).toEqual({ pasted: 2 })
    expect(flow.get().nodes.size).toBe(5)
    expect(flow.get().links.size).toBe(2)
    expect(state.selection.get().blocks.size).toBe(2)
  })

  test('draws a frame around the selection, moves its contents along in one step, and leaves them when it is removed', () => {
    const { actions, flow, state } = given()
    state.selection.set({ blocks: new Set(['s', 'a']), links: new Set() })
    const frame = actions.group('Começo') ?? ''
    expect(flow.get().nodes.get(frame)).toMatchObject({ type: 'group', title: 'Começo', x: -20, y: -14 })
    expect(contentsOf(flow.get().nodes, [frame], COMFORTABLE)).toEqual(new Set(['s', 'a']))
    actions.nudge(40, 20)
    expect(flow.get().nodes.get('a')).toMatchObject({ x: 40, y: 120 })
    expect(flow.get().nodes.get('b')).toMatchObject({ x: 300, y: 100 })
    actions.undo()
    expect(flow.get().nodes.get(frame)).toMatchObject({ x: -20, y: -14 })
    expect(flow.get().nodes.get('a')).toMatchObject({ x: 0, y: 100 })
    actions.remove()
    expect([...flow.get().nodes.keys()]).toEqual(['s', 'a', 'b'])
  })

  test('presses of an arrow within a second of one another are one step of undo', () => {
    vi.useFakeTimers()
    const { actions, flow, state } = given()
    state.selection.set({ blocks: new Set(['a']), links: new Set() })
    for (const pause of [300, 900, 1100, 300]) {
      actions.nudge(20, 0)
      vi.advanceTimersByTime(pause)
    }
    actions.undo()
    expect(flow.get().nodes.get('a')?.x).toBe(60)
    actions.undo()
    expect(flow.get().nodes.get('a')?.x).toBe(0)
  })

  test('a frame is no obstacle to what is added in it, is not tidied away, and is as large as it is made', () => {
    const { actions, flow, state } = given()
    state.selection.set({ blocks: new Set(['s', 'b']), links: new Set() })
    const frame = actions.group('Tudo') ?? ''
    actions.resize(frame, { width: 900, height: 700 })
    expect(flow.get().nodes.get(frame)?.properties).toMatchObject({ width: 900, height: 700 })
    const added = actions.add('text', '', { x: 40, y: 300 })
    expect(flow.get().nodes.get(added)).toMatchObject({ x: 40, y: 300 })
    expect(flow.get().nodes.get(frame)).toMatchObject({ x: -20, y: -14 })
  })

  test('places a block added in compact view without overlaps in comfortable view', () => {
    const { actions, flow, state } = given()
    state.compact.set(true)
    const added = actions.add('text', '', { x: 0, y: 60 })
    state.selection.set({ blocks: new Set(['s', 'a', 'b', added]), links: new Set() })
    const boxes = [...flow.get().nodes.values()].map(node => boxOf(node, COMFORTABLE))
    expect(overlapping(boxes)).toBe(0)
    const frame = actions.group('Tudo') ?? ''
    for (const size of [COMFORTABLE, COMPACT]) expect(contentsOf(flow.get().nodes, [frame], size).size).toBe(4)
  })

  test('in a dense flow what is added after a block is below it, or at its right, however near there is room above', () => {
    const { actions, flow } = given()
    const grid = Array.from({ length: 12 }, (_, row) =>
      Array.from({ length: 9 }, (_, at) => [at - 4, row + 1] as const),
    )
    for (const [column, row] of grid.flat()) actions.add('text', '', { x: column * 260, y: 200 + row * 120 })
    const source = [...flow.get().nodes.values()].find(({ x, y }) => x === 0 && y === 320)
    if (source === undefined) throw new Error('no block')
    const { id } = actions.addAfter('text', '', { source, output: preferredOutput(flow.get(), source.id) })
    expect(flow.get().nodes.get(id)?.y).toBeGreaterThan(source.y)
    expect(overlapping([...flow.get().nodes.values()].map(node => boxOf(node, COMFORTABLE)))).toBe(0)
  })

  test('copies keep their shape, cover nothing however often they are pasted or doubled, and go in one step', () => {
    // given two linked blocks, one beside the other
    const { actions, flow, state } = given()
    const both = new Set(['a', 'b'])
    state.selection.set({ blocks: both, links: new Set() })
    const text = actions.copy() ?? ''
    // when they are doubled and pasted, twice at the same place
    actions.duplicate()
    actions.paste(text, { x: 300, y: 130 })
    actions.paste(text, { x: 300, y: 130 })
    // then no blocks overlap, and the last paste keeps the layout of the copied blocks
    const boxes = [...flow.get().nodes.values()].map(node => boxOf(node, COMFORTABLE))
    expect(boxes).toHaveLength(9)
    expect(overlapping(boxes)).toBe(0)
    const [left, right] = [...state.selection.get().blocks].flatMap(id => flow.get().nodes.get(id) ?? [])
    expect([(right?.x ?? 0) - (left?.x ?? 0), (right?.y ?? 0) - (left?.y ?? 0)]).toEqual([300, 0])
    expect(state.focus.get()).toBe(left?.id)
    actions.undo()
    expect(flow.get().nodes.size).toBe(7)
  })

  test('a frame that is copied with what is in it holds its own copies alone', () => {
    const { actions, flow, state } = given()
    state.selection.set({ blocks: new Set(['s', 'a']), links: new Set() })
    const frame = actions.group('Começo') ?? ''
    state.selection.set({ blocks: new Set(['s', 'a', frame]), links: new Set() })
    actions.duplicate()
    const copied = [...state.selection.get().blocks]
    const copy = copied.find(id => flow.get().nodes.get(id)?.type === 'group') ?? ''
    expect(contentsOf(flow.get().nodes, [copy], COMFORTABLE)).toEqual(new Set(copied.filter(id => id !== copy)))
    expect(contentsOf(flow.get().nodes, [frame], COMFORTABLE)).toEqual(new Set(['s', 'a']))
  })

  test('a block is brought back as a file has it, or to where it stood alone, each in one step', () => {
    const { actions, flow, doc } = given()
    actions.link({ from: 's', fromConnector: 'output_1' }, 'a')
    const then = actions.file()
    actions.rename('a', 'Outro nome')
    actions.move(new Map([['a', { x: 500, y: 500 }]]))
    actions.link({ from: 's', fromConnector: 'output_1' }, 'b')
    expect([actions.moveBack('a', then), actions.moveBack('a', then)]).toEqual([true, false])
    expect(flow.get().nodes.get('a')).toMatchObject({ x: 0, y: 100, title: 'Outro nome' })
    expect([actions.bringBack('a', then), actions.bringBack('a', then)]).toEqual([true, false])
    expect(flow.get().nodes.get('a')?.title).toBe('')
    expect(actions.bringBack('later', then)).toBe(false)
    actions.undo()
    actions.undo()
    expect(readNode(doc, 'a')).toMatchObject({ x: 500, y: 500, title: 'Outro nome' })
  })

  test('text that is no flow file pastes nothing', () => {
    const { actions, flow } = given()
    expect(actions.paste('hello')).toEqual({ pasted: 0, refused: true })
    expect(flow.get().nodes.size).toBe(3)
  })

  test('a block added after an output is linked to it in the same step', () => {
    const { actions, flow } = given()
    actions.add('prompt', '', { x: 0, y: 300 }, { from: 'a', fromConnector: 'output_1' })
    expect(flow.get().links.size).toBe(1)
    actions.undo()
    expect(flow.get().links.size).toBe(0)
    expect(flow.get().nodes.size).toBe(3)
  })
})

describe('a block added after another one', () => {
  const links = (flow: ReturnType<typeof given>['flow']) =>
    [...flow.get().links.values()].map(({ from, fromConnector, to }) => `${from}.${fromConnector} ${to}`).sort()
  const following = ({ flow }: ReturnType<typeof given>, id: string) => {
    const source = flow.get().nodes.get(id)
    if (source === undefined) throw new Error(id)
    return { source, output: preferredOutput(flow.get(), id) }
  }

  test('comes between the two that are linked, in one step, and covers neither', () => {
    // given a link from the start to a text
    const all = given()
    const { actions, flow } = all
    actions.link({ from: 's', fromConnector: 'output_1' }, 'a')
    const before = links(flow)
    // when
    const { id, how, target } = actions.addAfter('prompt', '', following(all, 's'))
    // then
    expect([how, target]).toEqual(['between', 'a'])
    expect(links(flow)).toEqual([`${id}.output_1 a`, `s.output_1 ${id}`].sort())
    expect(overlapping([...flow.get().nodes.values()].map(node => boxOf(node, COMFORTABLE)))).toBe(0)
    actions.undo()
    expect(links(flow)).toEqual(before)
    expect(flow.get().nodes.has(id)).toBe(false)
  })

  test('shows an output for each answer of a new question, and leads on from that of any answer [P-2833]', () => {
    const all = given()
    const { actions, flow } = all
    actions.link({ from: 's', fromConnector: 'output_1' }, 'a')
    const { id } = actions.addAfter('prompt:confirm', '', following(all, 's'))
    expect(
      flow
        .get()
        .nodes.get(id)
        ?.outputs.map(output => output.id),
    ).toEqual(['output_yes', 'output_no', 'output_1', 'output_giveup'])
    expect(links(flow)).toEqual([`${id}.output_1 a`, `s.output_1 ${id}`].sort())
    actions.undo()
    expect(links(flow)).toEqual(['s.output_1 a'])
  })

  test('moves lower blocks down with the frame around them, and keeps blocks beside', () => {
    // given a chain with 28 pixels between its blocks, a frame around two of them, and a block beside it
    const all = given()
    const { actions, flow, state, doc } = all
    addNode(doc, { id: 'c', type: 'text', title: '', x: 0, y: 200 }, 'other')
    actions.link({ from: 's', fromConnector: 'output_1' }, 'a')
    actions.link({ from: 'a', fromConnector: 'output_1' }, 'c')
    state.selection.set({ blocks: new Set(['a', 'c']), links: new Set() })
    const frame = actions.group('') ?? ''
    const height = () => flow.get().nodes.get(frame)?.properties.height as number
    const before = height()
    // when a block is put between those two
    const { id } = actions.addAfter('text', '', following(all, 'a'))
    // then the lower one went down, the frame grew, and nothing else moved
    const at = (block: string) => flow.get().nodes.get(block)?.y
    expect([at('s'), at('a'), at('b')]).toEqual([0, 100, 100])
    expect([at(id), at('c')]).toEqual([220, 340])
    expect(height()).toBe(before + 140)
    expect(contentsOf(flow.get().nodes, [frame], COMFORTABLE)).toEqual(new Set(['a', 'c', id]))
    actions.undo()
    expect([at('c'), height()]).toEqual([200, before])
  })

  test('goes halfway where there is room', () => {
    const all = given()
    all.actions.link({ from: 's', fromConnector: 'output_1' }, 'a')
    all.actions.move(new Map([['a', { x: 0, y: 400 }]]))
    const { id } = all.actions.addAfter('text', '', following(all, 's'))
    expect(all.flow.get().nodes.get(id)).toMatchObject({ x: 0, y: 200 })
  })

  test('takes the first output that leads nowhere; the link of one that does is kept where nothing leads on', () => {
    const all = given()
    const { actions, flow } = all
    actions.link({ from: 's', fromConnector: 'output_1' }, 'a')
    const { id: ask } = actions.addAfter('prompt', '', following(all, 'a'))
    const outputs =
      flow
        .get()
        .nodes.get(ask)
        ?.outputs.map(({ id }) => id) ?? []
    for (const id of outputs) {
      const added = actions.addAfter('text', '', following(all, ask))
      expect(added.how).toBe('after')
      expect(links(flow)).toContain(`${ask}.${id} ${added.id}`)
    }
    const before = links(flow)
    expect(actions.addAfter('endconversation', '', following(all, 's')).how).toBe('kept')
    expect(actions.addAfter('gotonodedest', '', following(all, 's')).how).toBe('closed')
    expect(actions.addAfter('note', '', following(all, 's')).how).toBe('apart')
    expect(links(flow)).toEqual(before)
  })
})

describe('by keyboard', () => {
  test('arrows follow the first output, the source and the siblings', () => {
    const { actions, flow } = given()
    actions.link({ from: 's', fromConnector: 'output_1' }, 'a')
    actions.link({ from: 'a', fromConnector: 'output_1' }, 'b')
    expect(walk(flow.get(), 's', 'down')).toBe('a')
    expect(walk(flow.get(), 'b', 'up')).toBe('a')
    expect(walk(flow.get(), 'b', 'home')).toBe('s')
    expect(readingOrder(flow.get())).toEqual(['s', 'a', 'b'])
  })
})
