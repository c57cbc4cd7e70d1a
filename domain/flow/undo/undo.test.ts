import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { applyChecked } from '../document/apply-checked.ts'
import { createFlow, linksOf, mapAt, nodesOf, scriptOf } from '../document/document.ts'
import { addLink, addNode, moveNodes, openText, removeNodes, setField, setScript, setTitle } from '../document/edit.ts'
import { addItem } from '../document/item-edit.ts'
import { FLOW_LIMITS } from '../document/violation.ts'
import { exportFlow } from '../file/export-flow.ts'
import { createUndo } from './undo.ts'

const ME = 'me'

const nodeMap = (doc: Y.Doc, id: string) => mapAt(nodesOf(doc), id)

const twoPeople = () => {
  const mine = createFlow()
  const theirs = createFlow()
  mine.on('update', (update, origin) => origin !== 'sync' && Y.applyUpdate(theirs, update, 'sync'))
  theirs.on('update', (update, origin) => origin !== 'sync' && Y.applyUpdate(mine, update, 'sync'))
  addNode(mine, { id: 'a', type: 'text', title: 'A', x: 0, y: 0 }, 'before')
  addNode(mine, { id: 'b', type: 'condition', title: 'B', x: 0, y: 100 }, 'before')
  return { mine, theirs, undo: createUndo(mine, [ME]) }
}

describe('undo of one person', () => {
  it('takes edits of one run back together, until another step came between', () => {
    const { mine, undo } = twoPeople()
    const run = {}
    const at = (x: number) => () => moveNodes(mine, new Map([['a', { x, y: 0 }]]), ME)
    const x = () => exportFlow(mine).operators.a?.left
    for (const place of [20, 40, 60]) undo.goOn(run, at(place))
    setTitle(mine, 'a', 'Olá', ME)
    undo.goOn(run, at(80))
    undo.goOn(run, at(100))
    undo.undo()
    expect(x()).toBe(60)
    undo.undo()
    undo.undo()
    expect(x()).toBe(0)
    expect(undo.canUndo()).toBe(false)
    undo.redo()
    expect(x()).toBe(60)
  })

  it('has no step of a run that ended where it began', () => {
    const { mine, undo } = twoPeople()
    const run = {}
    for (const x of [20, 0]) undo.goOn(run, () => moveNodes(mine, new Map([['a', { x, y: 0 }]]), ME))
    expect(undo.canUndo()).toBe(false)
  })

  it('ends a run when another person moves the same block, keeps it on other edits, and skips their changes', () => {
    const { mine, theirs, undo } = twoPeople()
    const run = {}
    const put = (x: number) =>
      undo.goOn(run, () =>
        moveNodes(
          mine,
          new Map([
            ['a', { x, y: 0 }],
            ['b', { x, y: 100 }],
          ]),
          ME,
        ),
      )
    put(20)
    setTitle(theirs, 'b', 'Deles', 'them')
    put(40)
    moveNodes(theirs, new Map([['a', { x: 500, y: 0 }]]), 'them')
    put(60)
    undo.undo()
    expect(exportFlow(mine).operators).toMatchObject({ a: { left: 500 }, b: { left: 40, title: 'Deles' } })
    expect(undo.undo().skipped).toEqual([['nodes', 'a', 'pos']])
    expect(exportFlow(mine).operators).toMatchObject({ a: { left: 500 }, b: { left: 0, title: 'Deles' } })
  })

  it('takes back every kind of step in order and brings each back', () => {
    const { mine, undo } = twoPeople()
    const states = [exportFlow(mine)]
    const steps = [
      () => setTitle(mine, 'a', 'Olá', ME),
      () => moveNodes(mine, new Map([['a', { x: 40, y: 60 }]]), ME),
      () => setField(mine, 'a', ['text'], 'Bom dia, {{nome}}', ME),
      () => addItem(mine, 'b', ['conditions'], { id: 'yes', members: { label: 'sim' } }, ME),
      () => addLink(mine, { id: 'x', from: 'b', fromConnector: 'yes', to: 'a', toConnector: 'input_1' }, ME),
      () => setField(mine, 'b', ['enableDelay'], true, ME),
      () => removeNodes(mine, ['a'], ME),
    ]
    for (const step of steps) {
      step()
      states.push(exportFlow(mine))
    }
    for (const state of states.slice(0, -1).reverse()) {
      expect(undo.undo()).toEqual({ done: true, skipped: [] })
      expect(exportFlow(mine)).toEqual(state)
    }
    expect(undo.canUndo()).toBe(false)
    for (const state of states.slice(1)) {
      expect(undo.redo()).toEqual({ done: true, skipped: [] })
      expect(exportFlow(mine)).toEqual(state)
    }
  })

  it('passes over what someone else changed since, and says so', () => {
    const { mine, theirs, undo } = twoPeople()
    setTitle(mine, 'a', 'mine', ME)
    setTitle(theirs, 'a', 'theirs', 'other')

    const result = undo.undo()

    expect(result).toEqual({ done: false, skipped: [['nodes', 'a', 'title']] })
    expect(exportFlow(mine).operators.a?.title).toBe('theirs')
  })

  it('leaves what others typed into the same text', () => {
    const { mine, theirs, undo } = twoPeople()
    setField(mine, 'a', ['text'], 'Bom dia', ME)
    const text = openText(theirs, 'a', ['text'], 'other')
    const paragraph = text instanceof Y.XmlFragment ? text.get(0) : undefined
    const run = paragraph instanceof Y.XmlElement ? paragraph.get(0) : undefined
    if (run instanceof Y.XmlText) theirs.transact(() => run.insert(7, '!'), 'other')
    expect(exportFlow(mine).operators.a?.properties?.text).toBe('Bom dia!')

    undo.undo()

    expect(exportFlow(mine)).toEqual(exportFlow(theirs))
    expect(String(exportFlow(mine).operators.a?.properties?.text)).not.toContain('Bom dia')
  })

  it.each([
    ['an empty paragraph', ''],
    ['no text at all', undefined],
  ])('leaves the words of others when the first typing in a text with %s is undone [P-1780]', (_, empty) => {
    const { mine, theirs, undo } = twoPeople()
    addNode(mine, { id: 'c', type: 'text', title: 'C', x: 0, y: 200 }, 'before')
    const text = openText(mine, 'c', ['text'], 'before')
    if (!(text instanceof Y.XmlFragment)) throw new Error('not a rich text')
    if (empty === undefined) mine.transact(() => text.delete(0, text.length), 'before')
    // An editor makes the paragraph and the run that hold the first letter.
    mine.transact(() => {
      const run = new Y.XmlText('hello there')
      const [held] = text.toArray()
      const paragraph = held instanceof Y.XmlElement ? held : new Y.XmlElement('paragraph')
      if (held === undefined) text.insert(0, [paragraph])
      paragraph.insert(0, [run])
    }, ME)
    const other = openText(theirs, 'c', ['text'], 'them')
    const paragraph = other instanceof Y.XmlFragment ? other.get(0) : undefined
    const run = paragraph instanceof Y.XmlElement ? paragraph.get(0) : undefined
    if (!(run instanceof Y.XmlText)) throw new Error('no run of letters')
    theirs.transact(() => run.insert(0, 'WORLD '), 'them')

    expect(undo.undo()).toEqual({ done: true, skipped: [] })
    expect(exportFlow(theirs).operators.c?.properties?.text).toBe('WORLD ')
    expect(exportFlow(mine)).toEqual(exportFlow(theirs))
    expect(undo.redo()).toEqual({ done: true, skipped: [] })
    expect(exportFlow(theirs).operators.c?.properties?.text).toBe('WORLD hello there')
    undo.undo()
    theirs.transact(() => run.delete(0, run.length), 'them')
    expect(exportFlow(mine).operators.c?.properties?.text).toBe('')
  })

  it('takes the paragraph away again when nobody else wrote in it [P-1780]', () => {
    const { mine, undo } = twoPeople()
    const text = openText(mine, 'a', ['text'], 'before')
    if (!(text instanceof Y.XmlFragment)) throw new Error('not a rich text')
    const before = text.length
    const paragraph = new Y.XmlElement('paragraph')
    mine.transact(() => {
      paragraph.insert(0, [new Y.XmlText('one')])
      text.insert(text.length, [paragraph])
    }, ME)

    undo.undo()

    expect(text.length).toBe(before)
  })

  it.each([
    ['a list', 'conditions'],
    ['a group', 'data'],
  ])('takes its own entry out of %s that its edit made, and leaves those of others [P-1781]', (_, kind) => {
    const { mine, theirs, undo } = twoPeople()
    if (kind === 'conditions') {
      mine.transact(() => mapAt(nodeMap(mine, 'b'), 'properties')?.delete('conditions'), 'before')
      addItem(mine, 'b', ['conditions'], { id: 'mine', members: { label: 'sim' } }, ME)
      addItem(theirs, 'b', ['conditions'], { id: 'theirs', members: { label: 'não' } }, 'them')
      expect(undo.undo()).toEqual({ done: true, skipped: [] })
      const ids = () =>
        Object.keys(Object.fromEntries(mapAt(mapAt(nodeMap(theirs, 'b'), 'properties'), 'conditions') ?? []))
      expect(ids()).toEqual(['theirs'])
      expect(undo.redo()).toEqual({ done: true, skipped: [] })
      expect(ids().sort()).toEqual(['mine', 'theirs'])
      return
    }
    addNode(mine, { id: 'p', type: 'prompt', title: 'P', x: 0, y: 200 }, 'before')
    mine.transact(() => mapAt(nodeMap(mine, 'p'), 'properties')?.delete('data'), 'before')
    setField(mine, 'p', ['data', 'text'], 'Qual?', ME)
    setField(theirs, 'p', ['data', 'textStyle'], 'password', 'them')
    expect(undo.undo()).toEqual({ done: true, skipped: [] })
    expect(exportFlow(theirs).operators.p?.properties?.data).toEqual({ textStyle: 'password' })
  })

  it('does not take back what others did', () => {
    const { mine, theirs, undo } = twoPeople()
    addNode(theirs, { id: 'c', type: 'marker', title: 'C', x: 0, y: 0 }, 'other')

    expect(undo.canUndo()).toBe(false)
    expect(undo.undo()).toEqual({ done: false, skipped: [] })
    expect(Object.keys(exportFlow(mine).operators)).toContain('c')
  })

  it('brings a removed block back with its links, also where someone linked it meanwhile', () => {
    const { mine, theirs, undo } = twoPeople()
    addLink(mine, { id: 'x', from: 'a', fromConnector: 'output_1', to: 'b', toConnector: 'input_1' }, 'before')
    removeNodes(mine, ['a'], ME)
    addLink(theirs, { id: 'y', from: 'b', fromConnector: 'output_default', to: 'a', toConnector: 'input_1' }, 'other')
    expect(Object.keys(exportFlow(mine).links)).toEqual([])

    undo.undo()

    expect(Object.keys(exportFlow(mine).links).sort()).toEqual(['a:output_1:0', 'b:output_default:0'])
    expect(exportFlow(theirs)).toEqual(exportFlow(mine))
  })

  it('puts a replaced link back whole, and its color alone in place, as the server takes it', () => {
    const { mine, undo } = twoPeople()
    const server = createFlow(Y.encodeStateAsUpdate(mine))
    const refused: unknown[] = []
    mine.on('update', update => {
      const applied = applyChecked(server, update, FLOW_LIMITS, 'client')
      if (!applied.ok) refused.push(applied.reason)
    })
    const link = (to: string) => ({ id: 'x', from: 'a', fromConnector: 'output_1', to, toConnector: 'input_1' })
    addLink(mine, link('b'), ME)
    addLink(mine, link('a'), ME)
    mine.transact(() => mapAt(linksOf(mine), 'a:output_1:0')?.set('color', '3'), ME)
    for (const step of [undo.undo, undo.undo, undo.redo, undo.redo, undo.undo, undo.undo])
      expect(step()).toEqual({ done: true, skipped: [] })

    expect(refused).toEqual([])
    expect(exportFlow(server).links['a:output_1:0']).toMatchObject({ toOperator: 'b' })
    expect(exportFlow(server)).toEqual(exportFlow(mine))
  })

  it('passes over typing that took itself back, in both directions [P-2048]', () => {
    const { mine, undo } = twoPeople()
    const text = () => exportFlow(mine).operators.a?.properties?.text
    setField(mine, 'a', ['text'], 'Olá', ME)
    setTitle(mine, 'a', 'Saudação', ME)
    for (const typed of ['Olá!', 'Olá']) setField(mine, 'a', ['text'], typed, ME)
    setTitle(mine, 'a', 'Abertura', ME)
    setField(mine, 'a', ['text'], 'Olá, tudo bem?', ME)
    const seen = () => [exportFlow(mine).operators.a?.title, text()]
    const states = [
      ['A', ''],
      ['A', 'Olá'],
      ['Saudação', 'Olá'],
      ['Abertura', 'Olá'],
      ['Abertura', 'Olá, tudo bem?'],
    ]
    for (const state of states.toReversed().slice(1)) {
      expect(undo.undo()).toEqual({ done: true, skipped: [] })
      expect(seen()).toEqual(state)
    }
    expect(undo.canUndo()).toBe(false)
    for (const state of states.slice(1)) {
      expect(undo.redo()).toEqual({ done: true, skipped: [] })
      expect(seen()).toEqual(state)
    }
  })

  it('takes no earlier typing back with words that a colleague deleted [P-2048]', () => {
    const { mine, theirs, undo } = twoPeople()
    setField(mine, 'a', ['text'], 'Olá', ME)
    setTitle(mine, 'a', 'Saudação', ME)
    setField(mine, 'a', ['text'], 'Olá, você', ME)
    setField(theirs, 'a', ['text'], 'Olá', 'them')

    expect(undo.undo()).toMatchObject({ done: false, skipped: [['nodes', 'a', 'properties', 'text']] })

    expect(exportFlow(mine).operators.a).toMatchObject({ title: 'Saudação', properties: { text: 'Olá' } })
  })

  it('takes typing back after its block was removed and brought back', () => {
    const { mine, undo } = twoPeople()
    setField(mine, 'a', ['text'], 'Bom dia', ME)
    removeNodes(mine, ['a'], ME)
    undo.undo()
    expect(exportFlow(mine).operators.a?.properties?.text).toBe('Bom dia')

    expect(undo.undo()).toEqual({ done: true, skipped: [] })

    expect(exportFlow(mine).operators.a?.properties?.text).toBe('')
  })

  it('holds the code of a handler in the same order as blocks, and leaves what others typed in it', () => {
    const { mine, theirs, undo } = twoPeople()
    setScript(theirs, 'return 1', 'them')
    setScript(mine, 'return 1 + 2', ME)
    setTitle(mine, 'a', 'Olá', ME)
    setScript(mine, 'return 1 + 2 + 3', ME)
    setScript(theirs, '// sum\nreturn 1 + 2 + 3', 'them')

    expect(undo.undo()).toEqual({ done: true, skipped: [] })
    expect(scriptOf(mine).toString()).toBe('// sum\nreturn 1 + 2')
    expect(undo.undo().done).toBe(true)
    expect(exportFlow(mine).operators.a?.title).toBe('A')
    expect(scriptOf(mine).toString()).toBe('// sum\nreturn 1 + 2')
    expect(undo.undo().done).toBe(true)
    expect(scriptOf(mine).toString()).toBe('// sum\nreturn 1')
    for (let step = 0; step < 3; step += 1) undo.redo()
    expect([scriptOf(mine).toString(), exportFlow(mine).operators.a?.title]).toEqual([
      '// sum\nreturn 1 + 2 + 3',
      'Olá',
    ])
    expect(undo.canRedo()).toBe(false)
  })
})
