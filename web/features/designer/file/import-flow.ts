import type { TFunction } from 'i18next'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { NOTHING } from '../canvas/canvas-context.ts'
import { boxOf, shapeOf } from '../model/block-appearance.ts'
import { COMFORTABLE, overlapping } from '../model/geometry.ts'
import type { Designer, Notice } from '../session/designer.ts'
import { type ComingFlow, type Refused, readPendingImport } from '../session/pending-import.ts'
import { chooseJson } from './download.ts'

export interface ImportTools {
  readonly designer: Designer
  readonly t: TFunction<'designer'>
  readonly fit: () => void
  readonly tidy: () => void
  readonly openHistory: () => void
}

const tell = ({ designer }: ImportTools, notice: Notice) => {
  designer.said.set(notice.text)
  designer.notice.set(notice)
}

const helpOf = (t: TFunction<'designer'>, refused: Refused) =>
  refused.why === 'fault' ? t('import.why.fault', { where: refused.where }) : t(`import.why.${refused.why}`)

/** Asks for a file; confirms first if it would remove or change parts of the flow. */
export const importFlow = async (tools: ImportTools): Promise<void> => {
  const { designer, t } = tools
  const chosen = await chooseJson()
  if (chosen === undefined) return
  const read = readPendingImport(chosen.name, chosen.json, designer.actions.file())
  switch (read.is) {
    case 'refused': {
      const text = [t('said.badFile'), helpOf(t, read.refused), t('import.unchanged')].join('. ')
      return tell(tools, { text, tone: 'failed' })
    }
    case 'same':
      return tell(tools, { text: t('import.same') })
    case 'coming':
      if (read.loses) return designer.coming.set(read.coming)
      return replaceOpenFlow(tools, read.coming)
    default:
      return read satisfies never
  }
}

/** Milliseconds until what the server took in is no longer waited for. */
const ARRIVAL = 10_000

/** Accepted changes arrive through the room. */
const arrived = ({ canvas: { flow } }: Designer, block: string): Promise<void> =>
  new Promise(resolve => {
    const look = () => {
      if (!flow.get().nodes.has(block)) return
      stop()
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      stop()
      resolve()
    }, ARRIVAL)
    const stop = flow.subscribe(look)
    look()
  })

/** Puts a file in the flow's place: as one edit that can be undone, or by the server where that would be too large. */
export const replaceOpenFlow = async (tools: ImportTools, { file, unknown, isLarge }: ComingFlow): Promise<void> => {
  const { designer, t } = tools
  const { canvas, actions, address } = designer
  designer.coming.set(undefined)
  canvas.selection.set(NOTHING)
  const text = [t('said.imported', { count: Object.keys(file.operators).length })]
  if (unknown.length > 0) text.push(t('said.foreign', { count: unknown.length }))
  if (isLarge) {
    tell(tools, { text: t('import.sending'), tone: 'busy' })
    try {
      // The person has agreed to replace the flow that the room shows, which is the newest one.
      const params = { kind: address.kind, id: address.id }
      await http.put('/{kind}/{id}/flow', { params, body: file, revision: '*' })
    } catch (error) {
      return tell(tools, { text: `${failureOf(error, t('import.notSent'))}. ${t('import.unchanged')}`, tone: 'failed' })
    }
    await arrived(designer, Object.keys(file.operators)[0] ?? '')
    const action = { label: t('bar.history'), run: tools.openHistory }
    tell(tools, { text: [...text, t('import.byHistory')].join('. '), action })
  } else {
    actions.importFile(file)
    const boxes = [...canvas.flow.get().nodes.values()].filter(node => shapeOf(node) === undefined)
    const covered = overlapping(boxes.map(node => boxOf(node, COMFORTABLE)))
    if (covered > 0) text.push(t('said.overlap', { count: covered }))
    const offer = { action: { label: t('tool.tidy'), run: tools.tidy } }
    tell(tools, { text: text.join('. '), undo: true, ...(covered > 0 ? offer : {}) })
  }
  setTimeout(tools.fit, 50)
}
